package com.polyassay.program;

import com.polyassay.wire.Frames;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

/** What the JDK keeps to itself: any descriptor, and an end after all of a program's hooks. */
final class OwnStreams {
  private static final int AFTER_HOOKS = 3; // the JDK's own use of these places ends with 2

  private OwnStreams() {}

  static Frames frames(int in, int out) throws ReflectiveOperationException {
    Constructor<FileDescriptor> made = FileDescriptor.class.getDeclaredConstructor(int.class);
    made.setAccessible(true); // the command line opens java.io and java.lang to this module
    return new Frames(
        new FileInputStream(made.newInstance(in)), new FileOutputStream(made.newInstance(out)));
  }

  /** Hooks run all at once; this comes when they have ended. */
  static void atTheVeryEnd(Runnable report) throws ReflectiveOperationException {
    Method add =
        Class.forName("java.lang.Shutdown")
            .getDeclaredMethod("add", int.class, boolean.class, Runnable.class);
    add.setAccessible(true);
    add.invoke(null, AFTER_HOOKS, false, report);
  }
}
