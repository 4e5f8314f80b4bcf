package dev.partita.cli.build;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** Calls a method or constructor of the given kind, or refers to it as in {@code HashMap::new}. */
final class Uses extends ArchCondition<JavaClass> {
  private final DescribedPredicate<CodeUnitAccessTarget> target;

  private Uses(DescribedPredicate<CodeUnitAccessTarget> target) {
    super("use " + target.getDescription());
    this.target = target;
  }

  static Uses of(DescribedPredicate<CodeUnitAccessTarget> target) {
    return new Uses(target);
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    for (JavaAccess<?> access : type.getAccessesFromSelf()) {
      if (access.getTarget() instanceof CodeUnitAccessTarget used && target.test(used)) {
        events.add(SimpleConditionEvent.satisfied(access, access.getDescription()));
      }
    }
  }
}
