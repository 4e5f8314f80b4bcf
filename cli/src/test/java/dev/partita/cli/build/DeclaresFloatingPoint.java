package dev.partita.cli.build;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;

/** Has a field, parameter or result of a floating-point type, boxed or in an array. */
final class DeclaresFloatingPoint extends ArchCondition<JavaClass> {
  private static final Set<String> FLOATING =
      Set.of("float", "double", "java.lang.Float", "java.lang.Double");

  DeclaresFloatingPoint() {
    super("declare floating-point fields, parameters or results");
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    for (JavaField field : type.getFields()) {
      if (isFloating(field.getRawType())) {
        events.add(SimpleConditionEvent.satisfied(field, field.getDescription()));
      }
    }
    for (JavaCodeUnit unit : type.getCodeUnits()) {
      if (isFloating(unit.getRawReturnType())
          || unit.getRawParameterTypes().stream().anyMatch(DeclaresFloatingPoint::isFloating)) {
        events.add(SimpleConditionEvent.satisfied(unit, unit.getDescription()));
      }
    }
  }

  private static boolean isFloating(JavaClass type) {
    return FLOATING.contains(type.getBaseComponentType().getName());
  }
}
