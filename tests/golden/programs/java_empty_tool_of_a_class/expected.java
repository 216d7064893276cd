package box;


import java.util.*;

/** Ein Regal – für Bücher. */
public class Shelf {
  private  List<String> books;
  static final int MAX = 5;

  public Shelf(int size) {  }

  public void add(String book) { }

  public int[] sizes() { return null; }

  boolean isFull() { return false; }
}
