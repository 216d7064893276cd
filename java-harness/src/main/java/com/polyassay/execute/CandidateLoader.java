package com.polyassay.execute;

import java.util.Map;

/** Holds one candidate's and its tests' classes, and lets go of them with it. */
public final class CandidateLoader extends ClassLoader {
  private final Map<String, byte[]> classes;

  public CandidateLoader(Map<String, byte[]> classes) {
    super("candidate", CandidateLoader.class.getClassLoader());
    this.classes = classes;
    setDefaultAssertionStatus(true);
  }

  public boolean owns(String className) {
    return classes.containsKey(className);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = classes.get(name);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }
}
