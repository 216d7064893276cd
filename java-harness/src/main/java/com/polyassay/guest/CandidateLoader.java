package com.polyassay.guest;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Map;

/**
 * Holds one candidate's and its tests' classes, and lets go of them with it.
 *
 * <p>Libraries are loaded afresh for each: what one candidate left in them is none of the next's.
 */
public final class CandidateLoader extends URLClassLoader {
  /** Where the classes would be if they were files; there is no such folder. */
  private static final URI HOME = URI.create("file:/classes/");

  private final Map<String, byte[]> classes;

  /** The jars are those of libraries, after the classes as on a class path. */
  public CandidateLoader(Map<String, byte[]> classes, List<String> jars) {
    super("candidate", urls(jars), CandidateLoader.class.getClassLoader());
    this.classes = classes;
    setDefaultAssertionStatus(true);
  }

  public boolean owns(String className) {
    return classes.containsKey(className);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = classes.get(name);
    return bytes == null ? super.findClass(name) : defineClass(name, bytes, 0, bytes.length);
  }

  /** Packages are found as they are in folders of class files; code asks where it stands. */
  @Override
  public URL findResource(String name) {
    String path = name.replaceFirst("(^|/)\\.?/?$", "");
    if (name.startsWith("/") || !isPackage(path)) {
      return super.findResource(name);
    }
    try {
      return HOME.resolve(path.isEmpty() ? "" : path + "/").toURL();
    } catch (IllegalArgumentException | MalformedURLException e) {
      return null;
    }
  }

  private static URL[] urls(List<String> jars) {
    URL[] urls = new URL[jars.size()];
    try {
      for (int i = 0; i < urls.length; i++) {
        urls[i] = new File(jars.get(i)).toURI().toURL();
      }
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
    return urls;
  }

  private boolean isPackage(String path) {
    String prefix = path.isEmpty() ? "" : path.replace('/', '.') + ".";
    return classes.keySet().stream().anyMatch(name -> name.startsWith(prefix));
  }
}
