package dev.partita.cli.build;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** The parts of the JDK through which a program learns what its arguments do not say. */
final class Surroundings {
  private static final Map<String, Set<String>> READING_METHODS =
      Map.ofEntries(
          Map.entry(
              "java.lang.System",
              Set.of(
                  "currentTimeMillis",
                  "nanoTime",
                  "getenv",
                  "getProperty",
                  "getProperties",
                  "identityHashCode")),
          Map.entry("java.lang.Runtime", Set.of("getRuntime", "version")),
          Map.entry("java.lang.Integer", Set.of("getInteger")),
          Map.entry("java.lang.Long", Set.of("getLong")),
          Map.entry("java.lang.Boolean", Set.of("getBoolean")),
          Map.entry("java.lang.Math", Set.of("random")),
          Map.entry("java.lang.StrictMath", Set.of("random")),
          Map.entry("java.util.UUID", Set.of("randomUUID")),
          Map.entry("java.util.Collections", Set.of("shuffle")),
          Map.entry("java.util.Locale", Set.of("getDefault")),
          Map.entry("java.util.TimeZone", Set.of("getDefault")),
          Map.entry("java.time.ZoneId", Set.of("systemDefault")),
          Map.entry("java.time.InstantSource", Set.of("system")),
          Map.entry("java.nio.charset.Charset", Set.of("defaultCharset")));

  private static final Set<String> OBTAINING_CHANCE =
      Set.of("<init>", "current", "getDefault", "of", "getInstanceStrong", "getInstance");

  private static final Set<String> HASHED =
      Set.of(
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.IdentityHashMap",
          "java.util.WeakHashMap",
          "java.util.Hashtable",
          "java.util.concurrent.ConcurrentHashMap");

  /** Collectors that build a HashMap or HashSet unless they are told what to build. */
  private static final Map<String, Integer> HASHING_COLLECTORS =
      Map.of(
          "toSet", 0,
          "toUnmodifiableSet", 0,
          "toMap", 3,
          "toUnmodifiableMap", 3,
          "groupingBy", 2);

  static final DescribedPredicate<CodeUnitAccessTarget> READS =
      describe("clock, chance or environment", Surroundings::reads);

  static final DescribedPredicate<CodeUnitAccessTarget> HASH_ORDER =
      describe("collections in hash order", Surroundings::dependsOnHashOrder);

  private Surroundings() {}

  private static boolean reads(CodeUnitAccessTarget used) {
    JavaClass owner = used.getOwner();
    String method = used.getName();
    return READING_METHODS.getOrDefault(owner.getName(), Set.of()).contains(method)
        || (owner.getPackageName().startsWith("java.time") && method.equals("now"))
        || (owner.getName().equals("java.time.Clock") && isOfTheMachine(method))
        || obtainsChance(owner, method);
  }

  /** A generator that was passed in may be used: whoever passed it knows its seed. */
  private static boolean obtainsChance(JavaClass owner, String method) {
    return (owner.isAssignableTo(RandomGenerator.class) && OBTAINING_CHANCE.contains(method))
        || owner.isEquivalentTo(RandomGeneratorFactory.class);
  }

  private static boolean isOfTheMachine(String clockMethod) {
    return clockMethod.startsWith("system") || clockMethod.startsWith("tick");
  }

  private static boolean dependsOnHashOrder(CodeUnitAccessTarget used) {
    String owner = used.getOwner().getName();
    String name = used.getName();
    boolean creates = name.equals("<init>") || name.startsWith("newHash") || name.startsWith("new");
    return switch (owner) {
      case "java.util.Map", "java.util.Set" ->
          // Salted: their order differs from one virtual machine to the next.
          name.equals("of") || name.equals("copyOf") || name.equals("ofEntries");
      case "java.util.stream.Collectors" ->
          HASHING_COLLECTORS.containsKey(name)
              && used.getRawParameterTypes().size() <= HASHING_COLLECTORS.get(name);
      default -> HASHED.contains(owner) && creates;
    };
  }
}
