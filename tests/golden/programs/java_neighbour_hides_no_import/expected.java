package shop;
import java.util.*;
public class Cart {
public static int total(List<Currency> all) {
    return all.stream().mapToInt(c -> c.cents).sum();
}
}
