package org.junit.jupiter.api;

public class Assertions {
  public static void assertEquals(int a, int b) {}
}
