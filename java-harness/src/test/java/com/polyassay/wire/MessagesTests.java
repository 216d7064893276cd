package com.polyassay.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the messages against a list that the runner's tests read as well. */
class MessagesTests {
  private static final Path GOLDEN = Path.of("../tests/golden/java/messages.txt");
  private static final Map<Type, String> TYPES =
      Map.of(
          int.class, "number",
          double.class, "real",
          boolean.class, "flag",
          byte[].class, "blob",
          String.class, "text");

  static List<Class<?>> records() {
    return Stream.of(
            TestMessages.class,
            WorkerMessages.class,
            CallMessages.class,
            ProgramMessages.class,
            CompileMessages.class)
        .flatMap(type -> Arrays.stream(type.getDeclaredClasses()))
        .filter(Class::isRecord)
        .sorted((a, b) -> a.getSimpleName().compareTo(b.getSimpleName()))
        .collect(Collectors.toList());
  }

  @Test
  void messagesHaveTheFieldsAndBytesOfTheList() throws Exception {
    StringBuilder found = new StringBuilder();
    for (Class<?> each : records()) {
      String fields =
          Arrays.stream(each.getRecordComponents())
              .map(field -> field.getName() + ": " + typeOf(field.getGenericType()))
              .collect(Collectors.joining(", "));
      String bytes = HexFormat.of().formatHex(((Message) sample(each)).toBytes());
      found.append(each.getSimpleName() + "(" + fields + ")\n  " + bytes + "\n");
    }
    assertEquals(Files.readString(GOLDEN), found.toString());
  }

  @Test
  void messagesAreReadAsTheyWereWritten() throws Exception {
    assertReads(TestMessages.RunTests.class, TestMessages.RunTests::read);
    assertReads(ProgramMessages.RunProgram.class, ProgramMessages.RunProgram::read);
    assertReads(CallMessages.Call.class, CallMessages.Call::read);
    assertReads(CallMessages.Answer.class, CallMessages.Answer::read);
    assertReads(CompileMessages.BuildLayers.class, CompileMessages.BuildLayers::read);
    assertReads(CompileMessages.PlanTask.class, CompileMessages.PlanTask::read);
    for (Class<?> each : WorkerMessages.ToWorker.class.getPermittedSubclasses()) {
      assertReads(each, WorkerMessages.ToWorker::read);
    }
    TestMessages.WorkerAnswered answered = new TestMessages.WorkerAnswered(new byte[] {1});
    assertArrayEquals(new byte[] {1}, TestMessages.readAnswer(answered.toBytes()));
    assertEquals(null, TestMessages.readAnswer(new TestMessages.WorkerGone().toBytes()));
  }

  @Test
  void anotherMessageIsRefused() {
    byte[] ready = new TestMessages.Ready().toBytes();
    assertThrows(IllegalArgumentException.class, () -> CallMessages.Call.read(ready));
    assertThrows(IllegalArgumentException.class, () -> WorkerMessages.ToWorker.read(ready));
    assertThrows(IllegalArgumentException.class, () -> TestMessages.readAnswer(ready));
  }

  private interface Read {
    Message from(byte[] message);
  }

  private static void assertReads(Class<?> type, Read read) throws Exception {
    byte[] bytes = ((Message) sample(type)).toBytes();
    Message back = read.from(bytes);
    assertEquals(type, back.getClass());
    assertArrayEquals(bytes, back.toBytes());
  }

  /** A record whose fields say their own names; the runner's tests make the same ones. */
  private static Object sample(Class<?> type) throws ReflectiveOperationException {
    RecordComponent[] fields = type.getRecordComponents();
    Object[] values = new Object[fields.length];
    Class<?>[] types = new Class<?>[fields.length];
    for (int i = 0; i < fields.length; i++) {
      types[i] = fields[i].getType();
      values[i] = value(fields[i].getName(), fields[i].getGenericType());
    }
    Constructor<?> constructor = type.getDeclaredConstructor(types);
    return constructor.newInstance(values);
  }

  private static Object value(String name, Type type) throws ReflectiveOperationException {
    return switch (typeOf(type)) {
      case "number" -> name.length();
      case "real" -> name.length() + 0.5;
      case "flag" -> true;
      case "blob" -> name.getBytes();
      case "text" -> name + " é";
      case "texts" -> List.of(name, "");
      case "blobs" -> Map.of(name, new byte[] {0, 1});
      case "sources" -> Map.of(name, "text");
      default -> List.of(sample((Class<?>) ((ParameterizedType) type).getActualTypeArguments()[0]));
    };
  }

  private static String typeOf(Type type) {
    if (!(type instanceof ParameterizedType generic)) {
      return TYPES.get(type);
    }
    Type last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
    if (generic.getRawType() == Map.class) {
      return last == String.class ? "sources" : "blobs";
    }
    return last == String.class ? "texts" : "list of " + ((Class<?>) last).getSimpleName();
  }
}
