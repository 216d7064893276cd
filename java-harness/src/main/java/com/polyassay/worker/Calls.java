package com.polyassay.worker;

import com.polyassay.execute.CandidateLoader;
import com.polyassay.value.Handles;
import com.polyassay.value.ValueReader;
import com.polyassay.value.ValueWriter;
import com.polyassay.wire.Message;
import com.polyassay.wire.MessageReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Carries out calls of one candidate's method, by way of the adapter. */
final class Calls {
  private static final int MESSAGE_LIMIT = 2000;
  private static final int OBJECT_LIMIT = 10_000;
  private static final byte[] NOTHING = {};

  private final CandidateLoader loader;
  private final String className;
  private final String adapterName;
  private final List<Object> objects = new ArrayList<>();
  private final Map<Object, Integer> numbers = new IdentityHashMap<>();
  private Method method;

  Calls(CandidateLoader loader, String className, String adapterName) {
    this.loader = loader;
    this.className = className;
    this.adapterName = adapterName;
  }

  byte[] answer(String what, MessageReader request) {
    int target = request.number();
    Object[] arguments = new Object[request.number()];
    ValueReader in = new ValueReader(request.blob(), handles, List.of());
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = in.read();
    }
    List<Object> known = List.copyOf(in.known());
    List<byte[]> before = contents(known);
    Object result = null;
    Throwable thrown = null;
    try {
      result = what.equals("make") ? handles.numberOf(make()) : call(target, arguments);
    } catch (InvocationTargetException e) {
      thrown = e.getCause();
    } catch (Throwable e) {
      thrown = e;
    }
    try {
      return answer(known, before, result, thrown);
    } catch (RuntimeException | StackOverflowError e) {
      return answer(known, contents(known), null, e);
    }
  }

  private Object make() throws Throwable {
    Constructor<?> constructor = loader.loadClass(className).getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }

  private Object call(int target, Object[] arguments) throws Throwable {
    if (method == null) {
      for (Method each : loader.loadClass(adapterName).getDeclaredMethods()) {
        if (each.getName().equals("call")) {
          method = each;
        }
      }
      method.setAccessible(true);
    }
    Object[] all = arguments;
    if (target >= 0) {
      all = new Object[arguments.length + 1];
      all[0] = objects.get(target);
      System.arraycopy(arguments, 0, all, 1, arguments.length);
    }
    return method.invoke(null, all);
  }

  private byte[] answer(List<Object> known, List<byte[]> before, Object result, Throwable thrown) {
    Message out = new Message().flag(thrown != null);
    out.texts(thrown == null ? List.of() : classes(thrown));
    String message = thrown == null ? null : message(thrown);
    out.flag(message != null);
    if (message != null) {
      out.text(message);
    }
    StackTraceElement own = thrown == null ? null : ownFrame(thrown);
    out.text(own == null ? "" : own.getClassName());
    out.text(own == null || own.getFileName() == null ? "" : own.getFileName());
    out.number(own == null ? 0 : own.getLineNumber());
    ValueWriter values = new ValueWriter(handles, ValueWriter.numbered(known));
    List<byte[]> after = contents(known);
    List<Integer> changed = new ArrayList<>();
    for (int i = 0; i < known.size(); i++) {
      if (!Arrays.equals(before.get(i), after.get(i))) {
        changed.add(i);
      }
    }
    values.write(changed.size());
    changed.forEach(i -> values.write(i).writeContent(known.get(i)));
    if (thrown == null) {
      values.write(result);
    }
    return out.blob(values.toBytes()).toBytes();
  }

  /** The present content of each, with the others by their numbers. */
  private List<byte[]> contents(List<Object> known) {
    List<byte[]> contents = new ArrayList<>();
    Map<Object, Integer> numbers = ValueWriter.numbered(known);
    for (Object each : known) {
      contents.add(
          ValueWriter.changeable(each)
              ? new ValueWriter(handles, numbers).writeContent(each).toBytes()
              : NOTHING);
    }
    return contents;
  }

  private static List<String> classes(Throwable thrown) {
    List<String> names = new ArrayList<>();
    for (Class<?> each = thrown.getClass(); each != Object.class; each = each.getSuperclass()) {
      names.add(each.getName());
    }
    return names;
  }

  private static String message(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null || message.length() <= MESSAGE_LIMIT
        ? message
        : message.substring(0, MESSAGE_LIMIT) + "…";
  }

  private StackTraceElement ownFrame(Throwable thrown) {
    for (StackTraceElement each : thrown.getStackTrace()) {
      if (loader.owns(each.getClassName()) && !each.getClassName().equals(adapterName)) {
        return each;
      }
    }
    return null;
  }

  private final Handles handles =
      new Handles() {
        @Override
        public int numberOf(Object value) {
          return numbers.computeIfAbsent(
              value,
              fresh -> {
                if (objects.size() >= OBJECT_LIMIT) {
                  throw new IllegalStateException("the answer returned too many objects");
                }
                objects.add(fresh);
                return objects.size() - 1;
              });
        }

        @Override
        public Object objectOf(int number) {
          return objects.get(number);
        }
      };
}
