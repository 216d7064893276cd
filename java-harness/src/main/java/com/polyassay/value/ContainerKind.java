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
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Function;

/**
 * How a container is made again on the other side.
 *
 * <p>Mutable kinds are made empty and then filled, so that they may contain themselves. Fixed kinds
 * are made of their elements. What is of no known class is copied by what it can do; but {@link
 * ViewKind} has the JDK's views of other containers.
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
  LIFO_QUEUE(
      Collections.asLifoQueue(new ArrayDeque<>()).getClass(),
      n -> Collections.asLifoQueue(new ArrayDeque<>())),
  FIXED_LIST(Arrays.asList().getClass(), Arrays::asList),
  IMMUTABLE_LIST(null, List::of),
  NULLABLE_LIST(null, n -> Arrays.stream(n).toList()), // as IMMUTABLE_LIST, but may hold null
  EMPTY_LIST(Collections.emptyList().getClass(), n -> Collections.emptyList()),
  SINGLE_LIST(Collections.singletonList(1).getClass(), n -> Collections.singletonList(n[0])),
  COPIES(
      Collections.nCopies(1, 1).getClass(),
      n -> Collections.nCopies(n.length, n.length == 0 ? null : n[0])),
  IMMUTABLE_SET(null, Set::of),
  EMPTY_SET(Collections.emptySet().getClass(), n -> Collections.emptySet()),
  SINGLE_SET(Collections.singleton(1).getClass(), n -> Collections.singleton(n[0])),
  BAG(null, n -> Collections.unmodifiableCollection(new ArrayList<>(Arrays.asList(n)))),
  IMMUTABLE_MAP(null, n -> Map.copyOf(mapOf(n))),
  EMPTY_MAP(Collections.emptyMap().getClass(), n -> Collections.emptyMap()),
  SINGLE_MAP(Collections.singletonMap(1, 1).getClass(), n -> Collections.singletonMap(n[0], n[1])),
  ENTRY(AbstractMap.SimpleEntry.class, n -> new AbstractMap.SimpleEntry<>(n[0], n[1])),
  IMMUTABLE_ENTRY(Map.entry(1, 1).getClass(), n -> Map.entry(n[0], n[1])),
  FIXED_ENTRY(null, n -> new AbstractMap.SimpleImmutableEntry<>(n[0], n[1]));

  private static final Map<Class<?>, ContainerKind> EXACT = new HashMap<>();

  static {
    for (ContainerKind kind : values()) {
      if (kind.exact != null) {
        EXACT.put(kind.exact, kind);
      }
    }
  }

  private final Class<?> exact; // the class of such containers, where it is one
  private final Function<Object[], Object> make;

  ContainerKind(Class<?> exact, Function<Object[], Object> make) {
    this.exact = exact;
    this.make = make;
  }

  boolean mutable() {
    return ordinal() < FIXED_LIST.ordinal();
  }

  /** Whether what is in it can change after it was made. */
  boolean changeable() {
    return ordinal() <= FIXED_LIST.ordinal();
  }

  /** Made of its elements; of a map, keys and values in turn. Mutable kinds are made empty. */
  Object make(Object... elements) {
    return make.apply(elements);
  }

  /** The kind of a container; null for views and for anything else. */
  static ContainerKind of(Object value) {
    ContainerKind known = EXACT.get(value.getClass());
    if (known != null) {
      return sorted(known, value);
    }
    String name = value.getClass().getName();
    if (name.startsWith("java.util.ImmutableCollections$")) {
      return value instanceof List<?> list
          ? takesNull(list) ? NULLABLE_LIST : IMMUTABLE_LIST
          : value instanceof Set ? IMMUTABLE_SET : IMMUTABLE_MAP;
    }
    return ViewKind.of(value) == null ? byAbility(value) : null;
  }

  /** The kind that can do what the container can, whatever its class. */
  static ContainerKind byAbility(Object value) {
    ContainerKind extended = extendedBy(value.getClass());
    if (extended != null) {
      return sorted(extended, value);
    }
    if (value instanceof List) {
      return ARRAY_LIST;
    }
    if (value instanceof SortedSet || value instanceof SortedMap) {
      return sorted(value instanceof SortedSet ? TREE_SET : TREE_MAP, value);
    }
    if (value instanceof Set) {
      return LINKED_HASH_SET;
    }
    if (value instanceof Map) {
      return LINKED_HASH_MAP;
    }
    if (value instanceof Map.Entry) {
      return FIXED_ENTRY;
    }
    if (value instanceof Queue) {
      return LINKED_LIST;
    }
    return value instanceof Collection ? BAG : null;
  }

  /** That of the class of the JDK's that a class extends, because tests may ask for just that. */
  private static ContainerKind extendedBy(Class<?> type) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      ContainerKind kind = EXACT.get(each);
      if (kind != null && kind.mutable()) {
        // Whoever extends these may have an order of his own.
        return kind == HASH_MAP ? LINKED_HASH_MAP : kind == HASH_SET ? LINKED_HASH_SET : kind;
      }
      if (each == PriorityBlockingQueue.class) {
        return PRIORITY_QUEUE;
      }
    }
    return null;
  }

  /** The elements of a container; of a map, keys and values in turn. */
  static Object[] elements(Object container) {
    if (container instanceof Queue<?> queue && of(queue) == RANKED_QUEUE) {
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

  @SuppressWarnings("unchecked")
  private static Object[] inOrder(Queue<?> queue) {
    return queue.stream().sorted((Comparator<Object>) comparator(queue)).toArray();
  }

  private static Comparator<?> comparator(Object sorted) {
    return sorted instanceof SortedMap<?, ?> map
        ? map.comparator()
        : sorted instanceof SortedSet<?> set
            ? set.comparator()
            : sorted instanceof PriorityQueue<?> queue
                ? queue.comparator()
                : sorted instanceof PriorityBlockingQueue<?> queue ? queue.comparator() : null;
  }

  @SuppressWarnings("unchecked")
  static void fill(Object container, Object[] elements) {
    if (container instanceof PriorityQueue<?> queue && queue.comparator() instanceof Ranks ranks) {
      List.of(elements).forEach(ranks::rank); // it would compare none with the first by itself
    }
    if (container instanceof Map) {
      ((Map<Object, Object>) container).putAll(mapOf(elements));
    } else if (of(container) == LIFO_QUEUE) {
      for (int i = elements.length - 1; i >= 0; i--) {
        ((Queue<Object>) container).add(elements[i]);
      }
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

  /** Lists of a stream answer where lists of List.of() throw. */
  private static boolean takesNull(List<?> list) {
    try {
      list.contains(null);
      return true;
    } catch (NullPointerException e) {
      return false;
    }
  }

  /**
   * The same with the order that it has: one of the JDK's, or else that of its elements.
   *
   * <p>A comparator does not cross. One that has put values of the JDK's into their natural order,
   * or into its reverse, is taken for that, so that others find their place among them.
   */
  private static ContainerKind sorted(ContainerKind kind, Object value) {
    Comparator<?> order = comparator(value);
    if (order == null || order == Comparator.naturalOrder()) {
      return kind;
    }
    boolean reverse = order == Collections.reverseOrder();
    boolean caseless = order == String.CASE_INSENSITIVE_ORDER;
    if (!reverse && !caseless) {
      if (isInOrder(value, Comparator.naturalOrder())) {
        return kind;
      }
      reverse = isInOrder(value, Comparator.reverseOrder());
    }
    return switch (kind) {
      case TREE_MAP -> reverse ? REVERSE_TREE_MAP : caseless ? CASELESS_TREE_MAP : RANKED_TREE_MAP;
      case TREE_SET -> reverse ? REVERSE_TREE_SET : caseless ? CASELESS_TREE_SET : RANKED_TREE_SET;
      default -> reverse ? REVERSE_QUEUE : RANKED_QUEUE;
    };
  }

  /** Whether it holds at least two, all of one class of the JDK's, and in that order. */
  private static boolean isInOrder(Object sorted, Comparator<Comparable<Object>> order) {
    Object[] all =
        sorted instanceof Queue<?> queue
            ? inOrder(queue)
            : (sorted instanceof Map<?, ?> map ? map.keySet() : (Collection<?>) sorted).toArray();
    for (int i = 0; i < all.length; i++) {
      if (!(all[i] instanceof Comparable)
          || all[i].getClass() != all[0].getClass()
          || !all[i].getClass().getName().startsWith("java.")
          || i > 0 && order.compare(comparable(all[i - 1]), comparable(all[i])) > 0) {
        return false;
      }
    }
    return all.length > 1;
  }

  @SuppressWarnings("unchecked")
  private static Comparable<Object> comparable(Object value) {
    return (Comparable<Object>) value;
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
