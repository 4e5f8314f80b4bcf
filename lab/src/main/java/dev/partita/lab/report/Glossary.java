package dev.partita.lab.report;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Words that all cells of a run repeat, such as the names of its figures: a file says them once,
 * before the cells, and a cell only where its words differ. They are half of a file otherwise.
 */
final class Glossary {

  private static final String NAME = "glossary";
  private static final String CELLS = "cells";

  /** A list in each cell, what its entries are known by, and the words that go with that. */
  private record Entries(String list, String key, List<String> words) {}

  private static final List<Entries> ALL =
      List.of(
          new Entries("figures", "key", List.of("name", "unit")),
          new Entries("checks", "name", List.of("what")),
          new Entries("gates", "id", List.of("what", "threshold", "effect")));

  private Glossary() {}

  /** Moves the words of the first entry of each kind to the glossary, and the same from others. */
  static void takeOut(ObjectNode run) {
    ObjectNode glossary = run.objectNode();
    for (Entries entries : ALL) {
      ObjectNode known = glossary.putObject(entries.list());
      for (ObjectNode entry : entries(run, entries)) {
        String key = entry.path(entries.key()).asString("");
        ObjectNode words = known.withObjectProperty(key);
        for (String each : entries.words()) {
          JsonNode word = entry.get(each);
          if (!words.has(each)) {
            words.set(each, word);
          }
          if (words.get(each).equals(word)) {
            entry.remove(each);
          }
        }
      }
    }
    List<String> names = List.copyOf(run.propertyNames());
    for (String each : names.subList(names.indexOf(CELLS), names.size())) {
      JsonNode value = run.remove(each);
      if (each.equals(CELLS)) {
        run.set(NAME, glossary);
      }
      run.set(each, value);
    }
  }

  /** The contrary; a run that has no glossary has all words in its cells. */
  static void putBack(ObjectNode run) {
    JsonNode glossary = run.path(NAME);
    for (Entries entries : ALL) {
      for (ObjectNode entry : entries(run, entries)) {
        JsonNode words = glossary.path(entries.list()).path(entry.path(entries.key()).asString(""));
        for (String each : entries.words()) {
          if (!entry.has(each) && words.has(each)) {
            entry.set(each, words.get(each));
          }
        }
      }
    }
    run.remove(NAME);
  }

  private static List<ObjectNode> entries(ObjectNode run, Entries entries) {
    List<ObjectNode> found = new ArrayList<>();
    for (JsonNode cell : run.path(CELLS)) {
      for (JsonNode each : cell.path(entries.list())) {
        if (each instanceof ObjectNode entry) {
          found.add(entry);
        }
      }
    }
    return found;
  }
}
