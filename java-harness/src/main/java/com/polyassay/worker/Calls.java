package com.polyassay.worker;

import com.polyassay.apart.Remote;
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
import java.util.function.Supplier;

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
    } catch (OutOfMemoryError e) {
      return answer(List.of(), List.of(), null, e);
    } catch (Throwable e) {
      return unreadable(e);
    }
  }

  /** The value is made of the candidate's own code, which threw: nothing that its method did. */
  private static byte[] unreadable(Throwable why) {
    String message = "the answer's value cannot be read: " + why.getClass().getName();
    Message out = new Message().number(1).texts(List.of()).flag(true).text(message);
    out.text("").text("").number(0);
    return out.blob(new ValueWriter(null).write(0).toBytes()).toBytes();
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
    List<Throwable> chain = withCauses(thrown);
    Message out = new Message().number(chain.size());
    for (Throwable each : chain) {
      out.texts(classes(each));
      String message = message(each);
      out.flag(message != null);
      if (message != null) {
        out.text(message);
      }
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
      values.write(result instanceof CharSequence text ? plain(text) : result);
    }
    return out.blob(values.toBytes()).toBytes();
  }

  /** A text of the candidate's own class crosses as what it says, where any text is asked for. */
  private CharSequence plain(CharSequence text) {
    boolean known = text.getClass().getName().startsWith("java.lang.");
    return known || method == null || method.getReturnType() != CharSequence.class
        ? text
        : text.toString();
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

  /** The first few, because a candidate's own exceptions may have causes without end. */
  private static List<Throwable> withCauses(Throwable thrown) {
    List<Throwable> chain = new ArrayList<>();
    Throwable each = thrown;
    while (each != null && chain.size() < Remote.CAUSE_LIMIT) {
      chain.add(each);
      each = attempt(each::getCause, null);
    }
    return chain;
  }

  /** What a method of a candidate's exception gives, unless it throws one itself. */
  private static <T> T attempt(Supplier<T> ask, T otherwise) {
    try {
      return ask.get();
    } catch (Throwable worse) {
      return otherwise;
    }
  }

  private static List<String> classes(Throwable thrown) {
    List<String> names = new ArrayList<>();
    for (Class<?> each = thrown.getClass(); each != Object.class; each = each.getSuperclass()) {
      names.add(each.getName());
    }
    return names;
  }

  private static String message(Throwable thrown) {
    String message = attempt(thrown::getMessage, "its message cannot be read");
    return message == null || message.length() <= MESSAGE_LIMIT
        ? message
        : message.substring(0, MESSAGE_LIMIT) + "…";
  }

  private StackTraceElement ownFrame(Throwable thrown) {
    StackTraceElement[] trace = attempt(thrown::getStackTrace, null);
    for (StackTraceElement each : trace == null ? new StackTraceElement[0] : trace) {
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
