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

  /** The most special of the named classes that the tests' side has, with message and cause. */
  static Throwable like(List<String> classes, String message, Throwable cause, ClassLoader loader) {
    for (String name : classes) {
      Throwable made = make(name, message, cause, loader);
      if (made != null) {
        return caused(made, cause);
      }
    }
    return new RuntimeException(message, cause);
  }

  private static Throwable caused(Throwable made, Throwable cause) {
    if (cause != null && made.getCause() == null) {
      try {
        made.initCause(cause);
      } catch (IllegalStateException e) {
        // Its class settles the cause when it is made.
      }
    }
    return made;
  }

  private static Throwable make(String name, String message, Throwable cause, ClassLoader loader) {
    try {
      Class<?> type = Class.forName(name, false, loader);
      return Throwable.class.isAssignableFrom(type) ? make(type, message, cause) : null;
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  /** By the constructor that gives the same message, else by any that works. */
  private static Throwable make(Class<?> type, String message, Throwable cause) {
    // A task's own exceptions need not be public.
    boolean own = !type.getModule().isNamed();
    Constructor<?>[] constructors = own ? type.getDeclaredConstructors() : type.getConstructors();
    Arrays.sort(constructors, Comparator.comparingInt(Constructor::getParameterCount));
    Throwable any = null;
    for (Constructor<?> each : constructors) {
      try {
        Object[] arguments = arguments(each.getParameterTypes(), message, cause);
        if (own) {
          each.setAccessible(true);
        }
        Throwable made = (Throwable) each.newInstance(arguments);
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

  /** Message and cause where they fit, and nothing for the rest. */
  private static Object[] arguments(Class<?>[] types, String message, Throwable cause) {
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
      } else if (Throwable.class.isAssignableFrom(types[i]) && types[i].isInstance(cause)) {
        arguments[i] = cause;
      }
    }
    return arguments;
  }
}
