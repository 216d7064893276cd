package com.polyassay.value;

/** Objects that stay where they are; only their numbers cross. */
public interface Handles {
  /** The number of an object that is not plain; throws where such objects may not cross. */
  int numberOf(Object value);

  Object objectOf(int number);
}
