package com.polyassay.apart;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Makes exceptions like those that a candidate threw, of classes that it did not write. */
final class Exceptions {
  private Exceptions() {}

  /** The most special of the named classes that the tests' side has, with that message. */
  static Throwable like(List<String> classes, String message, ClassLoader loader) {
    for (String name : classes) {
      Throwable made = make(name, message, loader);
      if (made != null) {
        return made;
      }
    }
    return new RuntimeException(message);
  }

  private static Throwable make(String name, String message, ClassLoader loader) {
    try {
      Class<?> type = Class.forName(name, false, loader);
      return Throwable.class.isAssignableFrom(type) ? make(type, message) : null;
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  /** By the constructor that gives the same message, else by any that works. */
  private static Throwable make(Class<?> type, String message) {
    Constructor<?>[] constructors = type.getConstructors();
    Arrays.sort(constructors, Comparator.comparingInt(Constructor::getParameterCount));
    Throwable any = null;
    for (Constructor<?> each : constructors) {
      try {
        Throwable made = (Throwable) each.newInstance(arguments(each.getParameterTypes(), message));
        if (Objects.equals(made.getMessage(), message)) {
          return made;
        }
        any = any == null ? made : any;
      } catch (ReflectiveOperationException | RuntimeException e) {
        // Another one may do.
      }
    }
    return any;
  }

  /** The message where it fits, and nothing for the rest. */
  private static Object[] arguments(Class<?>[] types, String message) {
    Object[] arguments = new Object[types.length];
    boolean placed = false;
    for (int i = 0; i < types.length; i++) {
      if (types[i].isPrimitive()) {
        arguments[i] = Array.get(Array.newInstance(types[i], 1), 0);
      } else if (!placed && types[i].isAssignableFrom(String.class)) {
        arguments[i] = message;
        placed = true;
      } else if (types[i].isAssignableFrom(String.class)) {
        arguments[i] = "";
      }
    }
    return arguments;
  }
}
