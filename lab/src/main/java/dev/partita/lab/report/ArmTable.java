package dev.partita.lab.report;

import dev.partita.lab.report.HtmlTable.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A table with a row for each arm, told column by column. */
final class ArmTable {

  private final HtmlTable table;
  private final List<Function<Arm, Value>> columns = new ArrayList<>();

  ArmTable(String caption) {
    table = new HtmlTable(caption);
    table.words("Arm");
  }

  ArmTable words(String name, Function<Arm, Value> value) {
    table.words(name);
    columns.add(value);
    return this;
  }

  ArmTable numbers(String name, String unit, Function<Arm, Value> value) {
    return numbers(name, unit, new Markup(), value);
  }

  /** The same with a reference to what is said about the column elsewhere. */
  ArmTable numbers(String name, String unit, Markup note, Function<Arm, Value> value) {
    table.numbers(name, unit, note);
    columns.add(value);
    return this;
  }

  Markup of(List<Arm> arms) {
    for (Arm arm : arms) {
      List<Value> values = new ArrayList<>();
      values.add(Value.of(arm.name()));
      columns.forEach(each -> values.add(each.apply(arm)));
      table.row(ArmTables.style(arm), values);
    }
    return table.markup();
  }
}
