package com.polyassay.apart;

import java.lang.reflect.Constructor;
import java.util.List;

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
      if (!Throwable.class.isAssignableFrom(type)) {
        return null;
      }
      for (Class<?> parameter :
          new Class<?>[] {String.class, Object.class, null, Throwable.class}) {
        Throwable made = make(type, parameter, message);
        if (made != null) {
          return made;
        }
      }
      return null;
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  private static Throwable make(Class<?> type, Class<?> parameter, String message) {
    try {
      if (parameter == null) {
        return (Throwable) type.getConstructor().newInstance();
      }
      Constructor<?> constructor = type.getConstructor(parameter);
      return (Throwable) constructor.newInstance(parameter == Throwable.class ? null : message);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }
}
