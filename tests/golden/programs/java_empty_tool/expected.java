package org.example;
import java.io.*;
import java.util.*;
public class Idle {
  public static <T> List<T> all(Map<String, T> m) throws IOException {
    return null;
}}
