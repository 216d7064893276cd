package com.polyassay;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which package may use which; ARCHITECTURE.md says what each of them does. */
class ArchitectureTests {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("com.polyassay");

  /** Package to the packages that it uses; one that is not listed here fails a test. */
  private static final Map<String, Set<String>> USES =
      Map.of(
          "wire", Set.of(),
          "value", Set.of(),
          "guest", Set.of("wire"),
          "apart", Set.of("value", "wire"),
          "execute", Set.of("apart", "guest", "wire"),
          "worker", Set.of("guest", "value", "wire"),
          "program", Set.of("guest", "wire"),
          "compile", Set.of("wire"),
          "plan", Set.of("compile", "wire"),
          "service", Set.of("compile", "plan", "wire"));

  @Test
  void packagesUseOnlyWhatIsListed() {
    var architecture = layeredArchitecture().consideringOnlyDependenciesInLayers();
    for (String name : USES.keySet()) {
      architecture = architecture.layer(name).definedBy("com.polyassay." + name);
    }
    for (var each : USES.entrySet()) {
      architecture =
          each.getValue().isEmpty()
              ? architecture.whereLayer(each.getKey()).mayNotAccessAnyLayer()
              : architecture
                  .whereLayer(each.getKey())
                  .mayOnlyAccessLayers(each.getValue().toArray(String[]::new));
    }
    architecture.check(CLASSES);
  }

  @Test
  void everyPackageIsListed() {
    Set<String> found = new TreeSet<>();
    CLASSES.forEach(each -> found.add(each.getPackageName()));
    found.remove(""); // the module's declaration
    Set<String> listed = new TreeSet<>();
    USES.keySet().forEach(name -> listed.add("com.polyassay." + name));
    assertEquals(listed, found);
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching("com.polyassay.(*)..").should().beFreeOfCycles().check(CLASSES);
  }
}
