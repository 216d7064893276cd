package com.polyassay.value;

import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
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
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * How a container is made again on the other side.
 *
 * <p>Mutable kinds are made empty and then filled, so that they may contain themselves; the others
 * are made of their elements. What is of no known class is copied by what it can do.
 */
enum ContainerKind {
  ARRAY_LIST(ArrayList.class, n -> new ArrayList<>()),
  LINKED_LIST(LinkedList.class, n -> new LinkedList<>()),
  VECTOR(Vector.class, n -> new Vector<>()),
  STACK(Stack.class, n -> new Stack<>()),
  COPY_ON_WRITE_LIST(CopyOnWriteArrayList.class, n -> new CopyOnWriteArrayList<>()),
  ARRAY_DEQUE(ArrayDeque.class, n -> new ArrayDeque<>()),
  PRIORITY_QUEUE(PriorityQueue.class, n -> new PriorityQueue<>()),
  REVERSE_QUEUE(null, n -> new PriorityQueue<>(Collections.reverseOrder())),
  RANKED_QUEUE(null, n -> new PriorityQueue<>(new Ranks())),
  HASH_SET(HashSet.class, n -> new HashSet<>()),
  LINKED_HASH_SET(LinkedHashSet.class, n -> new LinkedHashSet<>()),
  TREE_SET(TreeSet.class, n -> new TreeSet<>()),
  REVERSE_TREE_SET(null, n -> new TreeSet<>(Collections.reverseOrder())),
  CASELESS_TREE_SET(null, n -> new TreeSet<>(String.CASE_INSENSITIVE_ORDER)),
  RANKED_TREE_SET(null, n -> new TreeSet<>(new Ranks())),
  HASH_MAP(HashMap.class, n -> new HashMap<>()),
  LINKED_HASH_MAP(LinkedHashMap.class, n -> new LinkedHashMap<>()),
  TREE_MAP(TreeMap.class, n -> new TreeMap<>()),
  REVERSE_TREE_MAP(null, n -> new TreeMap<>(Collections.reverseOrder())),
  CASELESS_TREE_MAP(null, n -> new TreeMap<>(String.CASE_INSENSITIVE_ORDER)),
  RANKED_TREE_MAP(null, n -> new TreeMap<>(new Ranks())),
  HASHTABLE(Hashtable.class, n -> new Hashtable<>()),
  CONCURRENT_MAP(ConcurrentHashMap.class, n -> new ConcurrentHashMap<>()),
  FIXED_LIST(Arrays.asList().getClass(), Arrays::asList),
  IMMUTABLE_LIST(null, List::of),
  UNMODIFIABLE_LIST(null, n -> Collections.unmodifiableList(new ArrayList<>(Arrays.asList(n)))),
  IMMUTABLE_SET(null, Set::of),
  UNMODIFIABLE_SET(null, n -> Collections.unmodifiableSet(new LinkedHashSet<>(Arrays.asList(n)))),
  BAG(null, n -> Collections.unmodifiableCollection(new ArrayList<>(Arrays.asList(n)))),
  IMMUTABLE_MAP(null, n -> Map.copyOf(mapOf(n))),
  UNMODIFIABLE_MAP(null, n -> Collections.unmodifiableMap(mapOf(n))),
  ENTRY(AbstractMap.SimpleEntry.class, n -> new AbstractMap.SimpleEntry<>(n[0], n[1])),
  FIXED_ENTRY(null, n -> new AbstractMap.SimpleImmutableEntry<>(n[0], n[1]));

  // The JDK's views that write through.
  private static final Predicate<String> WRITABLE =
      Pattern.compile("\\$(Synchronized|Checked|SetFromMap|AsLIFOQueue)").asPredicate();

  private final Class<?> exact;
  private final Function<Object[], Object> make;

  ContainerKind(Class<?> exact, Function<Object[], Object> make) {
    this.exact = exact;
    this.make = make;
  }

  boolean mutable() {
    return ordinal() < FIXED_LIST.ordinal();
  }

  /** Made of its elements; of a map, keys and values in turn. Mutable kinds are made empty. */
  Object make(Object... elements) {
    return make.apply(elements);
  }

  /** The kind of a container, or null for anything else. */
  static ContainerKind of(Object value) {
    for (ContainerKind kind : values()) {
      if (kind.exact == value.getClass()) {
        return sorted(kind, value);
      }
    }
    String name = value.getClass().getName();
    boolean immutable = name.startsWith("java.util.ImmutableCollections$");
    boolean fixed = immutable || name.startsWith("java.util.Collections$") && !WRITABLE.test(name);
    if (value instanceof List) {
      return immutable && !hasNull((List<?>) value)
          ? IMMUTABLE_LIST
          : fixed ? UNMODIFIABLE_LIST : ARRAY_LIST;
    }
    if (!fixed && (value instanceof SortedSet || value instanceof SortedMap)) {
      return sorted(value instanceof SortedSet ? TREE_SET : TREE_MAP, value);
    }
    if (value instanceof Set) {
      return immutable ? IMMUTABLE_SET : fixed ? UNMODIFIABLE_SET : LINKED_HASH_SET;
    }
    if (value instanceof Map) {
      return immutable ? IMMUTABLE_MAP : fixed ? UNMODIFIABLE_MAP : LINKED_HASH_MAP;
    }
    if (value instanceof Map.Entry) {
      return FIXED_ENTRY;
    }
    if (value instanceof Queue) {
      return LINKED_LIST;
    }
    return value instanceof Collection ? BAG : null;
  }

  /** The elements of a container; of a map, keys and values in turn. */
  static Object[] elements(Object container) {
    if (container instanceof PriorityQueue<?> queue && of(queue) == RANKED_QUEUE) {
      return inOrder(queue);
    }
    if (container instanceof Collection<?> collection) {
      return collection.toArray();
    }
    List<Object> all = new ArrayList<>();
    if (container instanceof Map.Entry<?, ?> entry) {
      Collections.addAll(all, entry.getKey(), entry.getValue());
    } else {
      ((Map<?, ?>) container).forEach((key, value) -> Collections.addAll(all, key, value));
    }
    return all.toArray();
  }

  private static <E> Object[] inOrder(PriorityQueue<E> queue) {
    return queue.stream().sorted(queue.comparator()).toArray();
  }

  @SuppressWarnings("unchecked")
  static void fill(Object container, Object[] elements) {
    if (container instanceof PriorityQueue<?> queue && queue.comparator() instanceof Ranks ranks) {
      List.of(elements).forEach(ranks::rank); // it would compare none with the first by itself
    }
    if (container instanceof Map) {
      ((Map<Object, Object>) container).putAll(mapOf(elements));
    } else {
      Collections.addAll((Collection<Object>) container, elements);
    }
  }

  /** Gives it other elements; one of fixed size keeps its places. */
  @SuppressWarnings("unchecked")
  static void refill(Object container, Object[] elements) {
    if (of(container) == FIXED_LIST) {
      for (int i = 0; i < elements.length; i++) {
        ((List<Object>) container).set(i, elements[i]);
      }
      return;
    }
    if (container instanceof Map<?, ?> map) {
      map.clear();
    } else {
      ((Collection<?>) container).clear();
    }
    fill(container, elements);
  }

  private static boolean hasNull(List<?> list) {
    for (Object each : list) {
      if (each == null) {
        return true;
      }
    }
    return false;
  }

  /** The same with the order that it has: one of the JDK's, or else that of its elements. */
  private static ContainerKind sorted(ContainerKind kind, Object value) {
    Comparator<?> order =
        value instanceof SortedMap<?, ?> map
            ? map.comparator()
            : value instanceof SortedSet<?> set
                ? set.comparator()
                : value instanceof PriorityQueue<?> queue ? queue.comparator() : null;
    if (order == null) {
      return kind;
    }
    boolean reverse = order == Collections.reverseOrder();
    boolean caseless = order == String.CASE_INSENSITIVE_ORDER;
    return switch (kind) {
      case TREE_MAP -> reverse ? REVERSE_TREE_MAP : caseless ? CASELESS_TREE_MAP : RANKED_TREE_MAP;
      case TREE_SET -> reverse ? REVERSE_TREE_SET : caseless ? CASELESS_TREE_SET : RANKED_TREE_SET;
      default -> reverse ? REVERSE_QUEUE : RANKED_QUEUE;
    };
  }

  /** Those that came first are the least: an order that only the other side can compute. */
  private static final class Ranks implements Comparator<Object> {
    private final Map<Object, Integer> ranks = new HashMap<>();

    @Override
    public int compare(Object a, Object b) {
      return Integer.compare(rank(a), rank(b));
    }

    private int rank(Object value) {
      return ranks.computeIfAbsent(value, fresh -> ranks.size());
    }
  }

  private static Map<Object, Object> mapOf(Object[] elements) {
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i + 1 < elements.length; i += 2) {
      map.put(elements[i], elements[i + 1]);
    }
    return map;
  }
}
