package com.example.generated;
import java.util.*;
public class Words9 extends com.example.Base {
  public List<String> words(String text) {
    return null;
}}
