package com.polyassay.guest;

import java.util.Arrays;

/** Tricks that the runner turned off, so that their gain can be measured. */
public final class Switches {
  private static final String OFF = System.getProperty("polyassay.without", "");

  private Switches() {}

  public static boolean off(String trick) {
    return !OFF.isEmpty() && Arrays.asList(OFF.split(",")).contains(trick);
  }
}
