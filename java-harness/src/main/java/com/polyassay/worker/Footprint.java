package com.polyassay.worker;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What class files could leave behind in the JVM once nothing refers to them.
 *
 * <p>Code that leaves something behind must call for it: a thread, a reference, a setting of the
 * process. So it is told by whom the code calls. The JDK has far more settings that all code shares
 * than anybody could look at, so only what is known to leave nothing else than {@link
 * com.polyassay.guest.GlobalState} and a garbage collection show is followed by another candidate.
 */
enum Footprint {
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
              + "|concurrent/locks/\\w*(Lock|Condition)(\\$\\w+)?|concurrent/(?!ForkJoinPool\\.setParallelism)[\\w$]+))\\..*"
              + "|java/io/(PrintStream|PrintWriter|\\w*Exception|Serializable|Closeable|Flushable"
              + "|Reader|Writer|InputStream|OutputStream|InputStreamReader|OutputStreamWriter"
              + "|(Buffered|String|CharArray|ByteArray|Data|Filter|StreamT)\\w+)\\..*"
              + "|java/(text/\\w+(\\$\\w+)?|nio/(\\w+Buffer|charset/\\w+)|time/zone/Zone(Rules"
              + "|Offset\\w*)|net/(URI|URLEncoder|URLDecoder|URISyntaxException)"
              + "|security/(MessageDigest|SecureRandom|\\w*Exception))\\..*");

  static Footprint of(Collection<byte[]> classes, Set<String> own) {
    Footprint largest = NONE;
    for (byte[] each : classes) {
      try {
        Footprint found = of(new DataInputStream(new ByteArrayInputStream(each)), own);
        largest = found.compareTo(largest) > 0 ? found : largest;
      } catch (IOException e) {
        return UNKNOWN;
      }
    }
    return largest;
  }

  /** Reads the constant pool: what is called of whom, and whether a finalizer is declared. */
  private static Footprint of(DataInputStream in, Set<String> own) throws IOException {
    in.readLong(); // magic number and version
    int count = in.readUnsignedShort();
    String[] texts = new String[count];
    int[] names = new int[count]; // of classes; of members by NameAndType
    List<int[]> callees = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> texts[i] = in.readUTF();
        case 7 -> names[i] = in.readUnsignedShort();
        case 9, 10, 11 -> callees.add(new int[] {in.readUnsignedShort(), in.readUnsignedShort()});
        case 12 -> {
          names[i] = in.readUnsignedShort();
          in.readUnsignedShort();
        }
        case 5, 6 -> {
          in.readLong();
          i++; // takes two places
        }
        case 15 -> in.skipNBytes(3);
        case 8, 16, 19, 20 -> in.readUnsignedShort();
        default -> in.readInt();
      }
    }
    Footprint largest = Arrays.asList(texts).contains("finalize") ? SHOWS : NONE;
    for (int[] callee : callees) {
      String owner = texts[names[callee[0]]];
      String called = owner + "." + texts[names[callee[1]]];
      boolean known = owner.startsWith("[") || own.contains(owner.replace('/', '.'));
      if (!known && !COMPUTES.matcher(called).matches()) {
        if (!SHOWN.matcher(called).matches()) {
          return UNKNOWN;
        }
        largest = SHOWS;
      }
    }
    return largest;
  }
}
