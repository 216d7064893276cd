package com.polyassay.execute;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.util.Map;

/** Holds one candidate's and its tests' classes, and lets go of them with it. */
public final class CandidateLoader extends ClassLoader {
  /** Where the classes would be if they were files; there is no such folder. */
  private static final URI HOME = URI.create("file:/classes/");

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

  /** Packages are found as they are in folders of class files; code asks where it stands. */
  @Override
  protected URL findResource(String name) {
    String path = name.replaceFirst("(^|/)\\.?/?$", "");
    if (name.startsWith("/") || !isPackage(path)) {
      return null;
    }
    try {
      return HOME.resolve(path.isEmpty() ? "" : path + "/").toURL();
    } catch (IllegalArgumentException | MalformedURLException e) {
      return null;
    }
  }

  private boolean isPackage(String path) {
    String prefix = path.isEmpty() ? "" : path.replace('/', '.') + ".";
    return classes.keySet().stream().anyMatch(name -> name.startsWith(prefix));
  }
}
