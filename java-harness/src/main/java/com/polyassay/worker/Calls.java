package com.polyassay.worker;

import com.polyassay.guest.CandidateLoader;
import com.polyassay.guest.Thrown;
import com.polyassay.value.Handles;
import com.polyassay.value.ValueReader;
import com.polyassay.value.ValueWriter;
import com.polyassay.wire.CallMessages;
import com.polyassay.wire.CallMessages.Answer;
import com.polyassay.wire.CallMessages.Call;
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
  private static final int OBJECT_LIMIT = 1_000_000; // a test may make one a call
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

  /** Carries the call out; whatever goes wrong on the way is an answer as well. */
  Answer answer(Call request) {
    Object[] arguments = new Object[request.argumentCount()];
    ValueReader in = new ValueReader(request.arguments(), handles, List.of());
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = in.read();
    }
    List<Object> known = List.copyOf(in.known());
    List<byte[]> before = contents(known);
    Object result = null;
    Throwable thrown = null;
    try {
      result =
          request.constructs()
              ? handles.numberOf(make(arguments))
              : call(request.target(), arguments);
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

  /** For a value that the candidate's own code makes, and that threw while it was read. */
  private static Answer unreadable(Throwable why) {
    String message = "the answer's value cannot be read: " + why.getClass().getName();
    byte[] values = new ValueWriter(null).write(0).toBytes();
    return new Answer(
        List.of(new CallMessages.Thrown(List.of(), true, message)), "", "", 0, values);
  }

  private Object make(Object[] arguments) throws Throwable {
    if (arguments.length > 0) {
      return adapterMethod("polyassayMake").invoke(null, arguments);
    }
    Constructor<?> constructor = loader.loadClass(className).getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }

  private Method adapterMethod(String name) throws ClassNotFoundException {
    for (Method each : loader.loadClass(adapterName).getDeclaredMethods()) {
      if (each.getName().equals(name)) {
        each.setAccessible(true);
        return each;
      }
    }
    throw new IllegalStateException("the adapter has no " + name);
  }

  private Object call(int target, Object[] arguments) throws Throwable {
    if (method == null) {
      method = adapterMethod("call");
    }
    Object[] all = arguments;
    if (target >= 0) {
      all = new Object[arguments.length + 1];
      all[0] = objects.get(target);
      System.arraycopy(arguments, 0, all, 1, arguments.length);
    }
    return method.invoke(null, all);
  }

  private Answer answer(List<Object> known, List<byte[]> before, Object result, Throwable thrown) {
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
    StackTraceElement own = thrown == null ? null : ownFrame(thrown);
    return new Answer(
        withCauses(thrown),
        own == null ? "" : own.getClassName(),
        own == null || own.getFileName() == null ? "" : own.getFileName(),
        own == null ? 0 : own.getLineNumber(),
        values.toBytes());
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
  private static List<CallMessages.Thrown> withCauses(Throwable thrown) {
    List<CallMessages.Thrown> chain = new ArrayList<>();
    Throwable each = thrown;
    while (each != null && chain.size() < CallMessages.CAUSE_LIMIT) {
      String message = Thrown.message(each);
      chain.add(
          new CallMessages.Thrown(classes(each), message != null, message == null ? "" : message));
      each = Thrown.attempt(each::getCause, null);
    }
    return chain;
  }

  private static List<String> classes(Throwable thrown) {
    List<String> names = new ArrayList<>();
    for (Class<?> each = thrown.getClass(); each != Object.class; each = each.getSuperclass()) {
      names.add(each.getName());
    }
    return names;
  }

  /** The candidate's topmost frame; the adapter is not the candidate's. */
  private StackTraceElement ownFrame(Throwable thrown) {
    return Thrown.ownFrame(thrown, name -> loader.owns(name) && !name.equals(adapterName));
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
