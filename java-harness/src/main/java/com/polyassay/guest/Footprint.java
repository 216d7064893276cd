package com.polyassay.guest;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What class files could leave behind in the JVM once nothing refers to them.
 *
 * <p>Code that leaves something behind must call for it: a thread, a reference, a setting of the
 * process. So it is told by whom the code calls. The JDK has far more settings that all code shares
 * than anybody could look at, so only what is known to leave nothing else than {@link GlobalState}
 * and a garbage collection show is followed by another candidate.
 */
public enum Footprint {
  /** Calls nothing but itself and what computes with values: nothing has to be looked for. */
  NONE,
  /** May leave threads and references, which show. Gain of NONE: docs/benchmarks.md. */
  SHOWS,
  /** Calls what may change the process in ways that do not show: no other candidate follows. */
  UNKNOWN;

  private static final Pattern COMPUTES =
      Pattern.compile(
          "java/(lang/(Object|String|StringBuilder|StringBuffer|Math|StrictMath|Integer|Long|Double"
              + "|Float|Short|Byte|Character|Boolean|Number|CharSequence|Comparable|Iterable|Enum"
              + "|Record|\\w*Exception|\\w*Error|invoke/(LambdaMetafactory|StringConcatFactory)"
              + "|runtime/ObjectMethods)"
              + "|util/(\\w*List|\\w*Map|\\w*Set|\\w*Deque|\\w*Queue|Map\\$Entry|AbstractMap\\$\\w+"
              + "|Arrays|Collections?|Iterator|Comparator|Objects|Optional\\w*|Stack|Vector|BitSet"
              + "|StringJoiner|\\w*Exception|(stream|function|regex)/[\\w$]+)"
              + "|math/\\w+|time/((chrono|format|temporal)/)?\\w+)\\..*");

  // Neither files, networks, processes nor reflection; of a thread, only what concerns one that the
  // code made itself. Streams are made anew for each candidate, so closing them does no harm.
  private static final Pattern SHOWN =
      Pattern.compile(
          "java/lang/(System\\.(in|out|err|nanoTime|currentTimeMillis|arraycopy|lineSeparator"
              + "|identityHashCode|getProperty|getenv|exit|gc)"
              + "|Class\\.(getName|getSimpleName|getTypeName|isInstance|cast|isArray"
              + "|getEnumConstants|desiredAssertionStatus|hashCode|equals|toString)"
              + "|Thread\\.(<init>|start|run|join|sleep|yield|currentThread|getName|getId|isAlive"
              + "|interrupt|interrupted|isInterrupted|setDaemon|onSpinWait|threadId)"
              + "|Runtime\\.(getRuntime|availableProcessors|totalMemory|freeMemory|maxMemory|gc)"
              + "|(Throwable|StackTraceElement|Runnable|AutoCloseable|Cloneable|Appendable|Void"
              + "|ThreadLocal|InheritableThreadLocal|Character\\$\\w+|ref/(Weak|Soft)Reference"
              + "|ref/Reference)\\..*)|java/util/(TimeZone|Locale)\\.(?!setDefault|<init>).*"
              + "|java/util/((Random|SplittableRandom|Scanner|StringTokenizer|Formatter|UUID|Date"
              + "|Calendar|GregorianCalendar|Currency|Enumeration|Dictionary|Hashtable|Properties"
              + "|Base64(\\$\\w+)?|PrimitiveIterator(\\$\\w+)?|Spliterators?(\\$\\w+)?|HexFormat"
              + "|\\w+SummaryStatistics|Locale\\$\\w+|Timer|TimerTask|random/\\w+"
              + "|zip/(CRC32|Adler32|Checksum)|concurrent/atomic/\\w+"
              + "|concurrent/locks/\\w*(Lock|Condition)(\\$\\w+)?|concurrent"
              + "/(?!ForkJoinPool\\.setParallelism|ForkJoinWorkerThread)[\\w$]+))\\..*"
              + "|java/io/(PrintStream|PrintWriter|\\w*Exception|Serializable|Closeable|Flushable"
              + "|Reader|Writer|InputStream|OutputStream|InputStreamReader|OutputStreamWriter"
              + "|(Buffered|String|CharArray|ByteArray|Data|Filter|StreamT)\\w+)\\..*"
              + "|java/(text/\\w+(\\$\\w+)?|nio/(\\w+Buffer|charset/\\w+)|time/zone/Zone(Rules"
              + "|Offset\\w*)|net/(URI|URLEncoder|URLDecoder|URISyntaxException)"
              + "|security/(MessageDigest|SecureRandom|\\w*Exception))\\..*");

  // Constructors that open a file by its name.
  private static final Pattern OPENS =
      Pattern.compile(
          "java/(io/Print(Stream|Writer)|util/Formatter)\\.<init>\\(Ljava/lang/String;.*");

  /** The change that has to be expected, in words, as {@link GlobalState} tells what it finds. */
  public List<String> changes() {
    return this == UNKNOWN ? List.of("calls that may change what does not show") : List.of();
  }

  /** Of the class files of one candidate, by their names; whatever else they call is the JDK's. */
  public static Footprint of(Map<String, byte[]> own) {
    try {
      List<Calls> all = new ArrayList<>();
      Map<String, String> above = new HashMap<>();
      for (byte[] each : own.values()) {
        Calls found = Calls.of(new DataInputStream(new ByteArrayInputStream(each)));
        all.add(found);
        above.put(found.name, found.superclass);
      }
      Footprint largest = NONE;
      for (Calls each : all) {
        Footprint found = each.footprint(above);
        largest = found.compareTo(largest) > 0 ? found : largest;
      }
      return largest;
    } catch (IOException | RuntimeException e) {
      return UNKNOWN;
    }
  }

  /**
   * What the constant pool of a class says that it calls.
   *
   * @param members owner, name and descriptor of each field, method or constructor
   */
  private record Calls(
      String name, String superclass, Collection<String[]> members, boolean finalizes) {

    static Calls of(DataInputStream in) throws IOException {
      in.readLong(); // magic number and version
      int count = in.readUnsignedShort();
      String[] texts = new String[count];
      int[][] pairs = new int[count][]; // of classes, and of members by NameAndType
      List<int[]> callees = new ArrayList<>();
      for (int i = 1; i < count; i++) {
        int tag = in.readUnsignedByte();
        switch (tag) {
          case 1 -> texts[i] = in.readUTF();
          case 7 -> pairs[i] = new int[] {in.readUnsignedShort()};
          case 9, 10, 11 -> callees.add(pair(in));
          case 12 -> pairs[i] = pair(in);
          case 5, 6 -> {
            in.readLong();
            i++; // takes two places
          }
          case 15 -> in.skipNBytes(3);
          case 8, 16, 19, 20 -> in.readUnsignedShort();
          default -> in.readInt();
        }
      }
      in.readUnsignedShort(); // how it may be used
      String name = texts[pairs[in.readUnsignedShort()][0]];
      String superclass = texts[pairs[in.readUnsignedShort()][0]];
      List<String[]> members = new ArrayList<>();
      for (int[] callee : callees) {
        int[] member = pairs[callee[1]];
        String owner = texts[pairs[callee[0]][0]];
        members.add(new String[] {owner, texts[member[0]], texts[member[1]]});
      }
      return new Calls(name, superclass, members, Arrays.asList(texts).contains("finalize"));
    }

    private static int[] pair(DataInputStream in) throws IOException {
      return new int[] {in.readUnsignedShort(), in.readUnsignedShort()};
    }

    Footprint footprint(Map<String, String> above) {
      Footprint largest = finalizes ? SHOWS : NONE;
      for (String[] each : members) {
        Footprint found = ofCall(each[0], "." + each[1], each[2], above);
        largest = found.compareTo(largest) > 0 ? found : largest;
      }
      return largest;
    }
  }

  /** What a class of the candidate's own does not have, its superclass in the JDK may have. */
  private static Footprint ofCall(
      String owner, String member, String descriptor, Map<String, String> above) {
    String place = owner;
    while (above.containsKey(place)) {
      place = above.get(place);
    }
    boolean ofItsOwn = !place.equals(owner) && place.equals("java/lang/Object");
    String called = place + member;
    if (ofItsOwn || place.startsWith("[") || COMPUTES.matcher(called).matches()) {
      return NONE;
    }
    boolean shown = SHOWN.matcher(called).matches();
    return shown && !OPENS.matcher(called + descriptor).matches() ? SHOWS : UNKNOWN;
  }
}
