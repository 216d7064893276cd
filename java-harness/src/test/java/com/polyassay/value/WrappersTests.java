package com.polyassay.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every collection that the JDK wraps or makes small crosses as what it is. */
@SuppressWarnings("unchecked")
class WrappersTests {
  private static final Handles NONE = ValuesTests.NONE;

  /** What each method of Collections is tried with, by the type of its first parameter. */
  private static final Map<String, List<Object>> INSIDE =
      Map.of(
          "Collection", List.of(new ArrayList<>(List.of(2, 1))),
          "SequencedCollection", List.of(new ArrayList<>(List.of(2, 1))),
          "List", List.of(new ArrayList<>(List.of(2, 1)), new LinkedList<>(List.of(2, 1))),
          "Set", List.of(new LinkedHashSet<>(List.of(2, 1))),
          "SequencedSet", List.of(new LinkedHashSet<>(List.of(2, 1))),
          "SortedSet", List.of(new TreeSet<>(List.of(2, 1)), reversed()),
          "NavigableSet", List.of(new TreeSet<>(List.of(2, 1)), reversed()),
          "Queue", List.of(new LinkedList<>(List.of(2, 1))),
          "Map", List.of(filled(new LinkedHashMap<>())),
          "NavigableMap",
              List.of(filled(new TreeMap<>()), filled(new TreeMap<>(Collections.reverseOrder()))));

  private static TreeSet<Integer> reversed() {
    TreeSet<Integer> set = new TreeSet<>(Collections.reverseOrder());
    set.addAll(List.of(1, 2));
    return set;
  }

  private static Map<Object, Object> filled(Map<Object, Object> map) {
    map.put(2, "b");
    map.put(1, "a");
    return map;
  }

  private static List<Object> inside(Class<?> type) {
    String name = type.getSimpleName().replace("SortedMap", "NavigableMap");
    return INSIDE.get(name.replace("SequencedMap", "Map"));
  }

  static List<Object> wrappers() throws ReflectiveOperationException {
    List<Object> all = new ArrayList<>();
    for (Method each : Collections.class.getMethods()) {
      if (each.getName().matches("(unmodifiable|synchronized|checked)[A-Z].*")) {
        for (Object inside : inside(each.getParameterTypes()[0])) {
          Object[] arguments = new Object[each.getParameterCount()];
          Arrays.fill(arguments, Object.class);
          arguments[0] = inside;
          all.add(each.invoke(null, arguments));
        }
      } else if (each.getName().matches("empty(List|Set|Map|Sorted.*|Navigable.*)")) {
        all.add(each.invoke(null));
      }
    }
    assertTrue(all.size() > 40, "methods of Collections were found");
    return all;
  }

  static List<Object> small() {
    return List.of(
        Collections.singleton(1),
        Collections.singletonList(1),
        Collections.singletonMap(1, "a"),
        Collections.nCopies(0, 1),
        Collections.nCopies(3, "x"),
        Collections.asLifoQueue(new ArrayDeque<>(List.of(2, 1))),
        Collections.unmodifiableMap(Collections.synchronizedMap(filled(new HashMap<>()))),
        List.of(),
        List.of(1),
        List.of(1, 2),
        List.of(1, 2, 3),
        List.of(1, 2, 3).subList(0, 2),
        Set.of(),
        Set.of(1),
        Set.of(1, 2, 3),
        Map.of(),
        Map.of(1, "a"),
        Map.of(1, "a", 2, "b"),
        Map.entry(1, "a"),
        List.copyOf(new ArrayList<>(List.of(1))),
        Arrays.asList(1, null),
        Stream.of(1, 2).toList(),
        Stream.of(1, null).toList(),
        Stream.of(1, 2, 3).toList(),
        Stream.of(1, 2).collect(Collectors.toUnmodifiableList()),
        Stream.of(1, 2).collect(Collectors.toUnmodifiableSet()));
  }

  @ParameterizedTest
  @MethodSource({"wrappers", "small"})
  void wrappersArriveAsWhatTheyAre(Object sent) {
    Object copy = copy(sent);
    String what = sent.getClass().getName();
    if (sent instanceof List || sent instanceof Set || sent instanceof Map) {
      assertEquals(sent, copy, what);
      assertEquals(sent.hashCode(), copy.hashCode(), what);
    }
    if (!what.contains("ImmutableCollections$Set") && !what.contains("ImmutableCollections$Map")) {
      assertEquals(sent.toString(), copy.toString(), what); // their order is each JVM's own
    }
    assertTrue(interfaces(copy.getClass()).containsAll(interfaces(sent.getClass())), what);
    assertEquals(order(sent), order(copy), what);
    for (Consumer<Object> change : CHANGES) {
      assertEquals(refusal(change, sent), refusal(change, copy), what);
    }
  }

  /** Whether each change is refused, and how; content is the same after it on both sides. */
  private static final List<Consumer<Object>> CHANGES =
      List.of(
          each -> ((List<Object>) each).set(0, ((List<Object>) each).get(0)),
          each -> ((List<Object>) each).contains(null),
          each -> ((Collection<Object>) each).removeIf(any -> false),
          each -> ((Collection<Object>) each).addAll(List.of(7)),
          each -> ((Collection<Object>) each).remove(7),
          each -> ((Map<Object, Object>) each).put(7, "g"),
          each -> ((Map<Object, Object>) each).remove(7),
          each -> ((Map<Object, Object>) each).containsKey(null),
          each -> ((Map.Entry<Object, Object>) each).setValue("z"));

  private static String refusal(Consumer<Object> change, Object container) {
    try {
      change.accept(container);
      return "";
    } catch (ClassCastException notSuch) {
      return "not such a container";
    } catch (RuntimeException e) {
      return e.getClass().getName();
    }
  }

  @Test
  void changesOfWrappedArgumentsComeBack() {
    List<Integer> sent = Collections.synchronizedList(new ArrayList<>(List.of(1)));
    assertTrue(ValueWriter.changeable(sent));
    List<Integer> there = (List<Integer>) copy(sent);
    there.add(2);
    byte[] bytes =
        new ValueWriter(NONE, ValueWriter.numbered(List.of(there))).writeContent(there).toBytes();
    new ValueReader(bytes, NONE, List.of(sent)).readContentInto(sent);
    assertEquals(List.of(1, 2), sent);
  }

  @Test
  void ordersOfTheCandidatesOwnAreKeptInWrappers() {
    TreeMap<String, Integer> byLength = new TreeMap<>(Comparator.comparing(String::length));
    byLength.putAll(Map.of("ccc", 3, "z", 1, "aa", 2));
    SortedMap<String, Integer> copy =
        (SortedMap<String, Integer>) copy(Collections.unmodifiableSortedMap(byLength));
    assertEquals(List.of("z", "aa", "ccc"), List.copyOf(copy.keySet()));
  }

  /** A method may say that it returns just that class. */
  static List<Object> extended() {
    return List.of(
        new ArrayList<>(List.of(2, 1)) {},
        new LinkedList<>(List.of(2, 1)) {},
        new java.util.Vector<>(List.of(2, 1)) {},
        new java.util.Stack<>() {},
        new java.util.concurrent.CopyOnWriteArrayList<>(List.of(2, 1)) {},
        new LinkedHashSet<>(List.of(2, 1)) {},
        new java.util.HashSet<>(List.of(2, 1)) {},
        new TreeSet<>(List.of(2, 1)) {},
        new HashMap<>(Map.of(2, 1)) {},
        new TreeMap<>(Map.of(2, 1)) {},
        new java.util.Hashtable<>(Map.of(2, 1)) {},
        new java.util.concurrent.ConcurrentHashMap<>(Map.of(2, 1)) {});
  }

  @ParameterizedTest
  @MethodSource("extended")
  void whatExtendsAContainerArrivesAsThat(Object sent) {
    Object copy = copy(sent);
    assertEquals(sent, copy);
    assertTrue(sent.getClass().getSuperclass().isInstance(copy), copy.getClass().getName());
  }

  static List<Queue<Integer>> queues() {
    Comparator<Integer> own = Comparator.comparing(number -> number % 3);
    return List.of(
        new PriorityQueue<>() {},
        new PriorityQueue<>(Collections.reverseOrder()) {},
        new PriorityQueue<>(own),
        new ArrayDeque<>() {},
        new PriorityBlockingQueue<>(),
        new PriorityBlockingQueue<>(9, Collections.reverseOrder()),
        new PriorityBlockingQueue<>(9, own));
  }

  @ParameterizedTest
  @MethodSource("queues")
  void queuesGiveTheirElementsInTheSameOrder(Queue<Integer> sent) {
    sent.addAll(List.of(5, 1, 4, 9));
    Queue<Integer> copy = (Queue<Integer>) copy(sent);
    while (!sent.isEmpty()) {
      assertEquals(sent.poll(), copy.poll());
    }
    assertTrue(copy.isEmpty());
  }

  /** The public interfaces of a class and of those that it extends. */
  private static Set<Class<?>> interfaces(Class<?> type) {
    Set<Class<?>> found = new LinkedHashSet<>();
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Class<?> one : each.getInterfaces()) {
        found.add(one);
        found.addAll(interfaces(one));
      }
    }
    return Set.copyOf(found);
  }

  private static Object order(Object container) {
    return container instanceof SortedMap<?, ?> map
        ? map.comparator()
        : container instanceof SortedSet<?> set ? set.comparator() : null;
  }

  private static Object copy(Object value) {
    byte[] bytes = new ValueWriter(NONE).write(value).toBytes();
    return new ValueReader(bytes, NONE, List.of()).read();
  }
}
