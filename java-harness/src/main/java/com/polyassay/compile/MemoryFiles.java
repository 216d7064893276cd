package com.polyassay.compile;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;

/** Keeps class files in memory: those of earlier layers to compile against, and the new ones. */
final class MemoryFiles extends ForwardingJavaFileManager<StandardJavaFileManager> {
  private final Queue<StandardJavaFileManager> idle;
  private final Map<String, byte[]> earlier;
  private final Map<String, ByteArrayOutputStream> made = new LinkedHashMap<>();
  private final Map<String, String> origins = new LinkedHashMap<>();
  private final int limit;
  private int size;

  MemoryFiles(
      StandardJavaFileManager files,
      Queue<StandardJavaFileManager> idle,
      Map<String, byte[]> earlier,
      int limit) {
    super(files);
    this.idle = idle;
    this.earlier = earlier;
    this.limit = limit;
  }

  Map<String, byte[]> classes() {
    Map<String, byte[]> classes = new LinkedHashMap<>();
    made.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
    return classes;
  }

  /** Which source each class came from, by its path. */
  Map<String, String> origins() {
    return origins;
  }

  /** Leaves the files below open, for the next compile. */
  @Override
  public void close() {
    idle.add(fileManager);
  }

  @Override
  public Iterable<JavaFileObject> list(
      Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse)
      throws IOException {
    Iterable<JavaFileObject> below = super.list(location, packageName, kinds, recurse);
    if (location != StandardLocation.CLASS_PATH || !kinds.contains(JavaFileObject.Kind.CLASS)) {
      return below;
    }
    List<JavaFileObject> found = new ArrayList<>();
    earlier.forEach(
        (name, bytes) -> {
          if (packageOf(name).equals(packageName)) {
            found.add(new ClassFile(name, bytes));
          }
        });
    below.forEach(found::add);
    return found;
  }

  @Override
  public String inferBinaryName(Location location, JavaFileObject file) {
    return file instanceof ClassFile known ? known.name : super.inferBinaryName(location, file);
  }

  @Override
  public boolean isSameFile(FileObject a, FileObject b) {
    return a.toUri().equals(b.toUri());
  }

  @Override
  public JavaFileObject getJavaFileForOutput(
      Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
    origins.put(className, sibling == null ? "" : sibling.toUri().getPath().substring(1));
    return new SimpleJavaFileObject(URI.create("made:///" + className.replace('.', '/')), kind) {
      @Override
      public OutputStream openOutputStream() {
        ByteArrayOutputStream bytes = new Limited();
        made.put(className, bytes);
        return bytes;
      }
    };
  }

  private static String packageOf(String className) {
    int dot = className.lastIndexOf('.');
    return dot < 0 ? "" : className.substring(0, dot);
  }

  /** Stops a compile whose output grows out of all proportion. */
  private final class Limited extends ByteArrayOutputStream {
    @Override
    public void write(byte[] bytes, int offset, int length) {
      size += length;
      if (size > limit) {
        throw new TooLarge();
      }
      super.write(bytes, offset, length);
    }
  }

  static final class TooLarge extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static final class ClassFile extends SimpleJavaFileObject {
    private final String name;
    private final byte[] bytes;

    ClassFile(String name, byte[] bytes) {
      super(URI.create("earlier:///" + name.replace('.', '/') + ".class"), Kind.CLASS);
      this.name = name;
      this.bytes = bytes;
    }

    @Override
    public InputStream openInputStream() {
      return new ByteArrayInputStream(bytes);
    }
  }
}
