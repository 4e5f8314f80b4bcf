package dev.partita.testkit;

import dev.partita.Account;
import dev.partita.ChangeResult;
import dev.partita.Hold;
import dev.partita.Limits;
import dev.partita.OpenResult;
import dev.partita.PostResult;
import dev.partita.RegisterResult;
import dev.partita.Side;
import dev.partita.Transfer;
import dev.partita.TransferResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link Scenario} on an engine. Each answer is compared with the table and, in every
 * detail, with the {@link Auditor}; at the end so is all that can be read.
 */
final class ScenarioRun {

  private final Duel duel;

  ScenarioRun(Duel duel) {
    this.duel = duel;
  }

  void run(Scenario scenario) {
    for (Scenario.Step step : scenario.steps()) {
      Object answer;
      try {
        answer = duel.step(step.operation());
      } catch (Disagreement e) {
        throw new AssertionError(step.lines() + "\n" + e.getMessage(), e);
      }
      check(step, answer);
    }
    duel.compareEverything();
  }

  private static void check(Scenario.Step step, Object answer) {
    Scenario.Line line = step.lines().getFirst();
    String expected = line.expected();
    switch (step.operation()) {
      case Operation.Register register -> {
        RegisterResult result = (RegisterResult) ((List<?>) answer).getFirst();
        same(line, orDefault(expected, "CREATED"), result.status().toString());
      }
      case Operation.Open open -> {
        OpenResult result = (OpenResult) ((List<?>) answer).getFirst();
        String field = result.field() == null ? "" : " " + result.field();
        same(line, orDefault(expected, "CREATED"), result.status() + field);
      }
      case Operation.Change change ->
          same(
              line,
              orDefault(expected, "CHANGED"),
              answer instanceof ChangeResult result
                  ? result.status().toString()
                  : "UNKNOWN_ACCOUNT");
      case Operation.Post post -> checkPost(step.lines(), (PostResult) answer);
      case Operation.Expire expire -> {
        List<String> holds = new ArrayList<>();
        for (Object record : (List<?>) answer) {
          holds.add(String.valueOf(((Transfer) record).relatedId()));
        }
        same(line, ids(expected), holds.toString());
      }
      case Operation.SetClock clock -> {}
      case Operation.LookAtAccount look -> {
        Account account = (Account) ((Optional<?>) answer).orElse(null);
        checkWords(line, account, ScenarioRun::accountWord);
      }
      case Operation.LookAtHold look -> {
        Hold hold = (Hold) ((Optional<?>) answer).orElse(null);
        checkWords(line, hold, ScenarioRun::holdWord);
      }
      case Operation.LookAtTransfer look -> {
        Transfer transfer = (Transfer) ((Optional<?>) answer).orElse(null);
        checkWords(line, transfer, ScenarioRun::transferWord);
      }
    }
  }

  private static String ids(String names) {
    List<String> ids = new ArrayList<>();
    for (String name : names.split(" ", -1)) {
      if (!name.equals("none")) {
        ids.add(ScenarioText.id(name).toString());
      }
    }
    return ids.toString();
  }

  private static void checkPost(List<Scenario.Line> lines, PostResult answer) {
    List<TransferResult> results = answer.transfers();
    int at = 0;
    for (Scenario.Line line : lines) {
      for (String expected : orDefault(line.expected(), "CREATED").split(",", -1)) {
        if (at == results.size()) {
          throw new AssertionError(line + "\n  but there are only " + at + " answers");
        }
        checkResult(line, expected.strip(), results.get(at));
        at++;
      }
    }
    if (at != results.size()) {
      throw new AssertionError(lines + "\n  but there are " + results.size() + " answers");
    }
  }

  /** {@code STATUS}, then what is named: account or field of a refusal, amount of a record. */
  private static void checkResult(Scenario.Line line, String expected, TransferResult result) {
    String[] words = expected.split(" ", -1);
    same(line, words[0], result.status().toString());
    if (words.length == 1) {
      return;
    }
    Transfer transfer = result.transfer();
    if (transfer != null) {
      same(line, ScenarioText.number(words[1]).toString(), transfer.amount().toString());
    } else if (result.field() != null) {
      same(line, words[1], result.field().text());
    } else {
      same(line, words[1], String.valueOf(result.account()));
    }
  }

  /** Pairs of a property's name and value; {@code none} if there must be no such thing. */
  private static <T> void checkWords(Scenario.Line line, @Nullable T found, Words<T> words) {
    if (line.expected().equals("none") || found == null) {
      same(line, line.expected(), found == null ? "none" : found.toString());
      return;
    }
    String[] expected = line.expected().split(" ", -1);
    for (int i = 0; i + 1 < expected.length; i += 2) {
      String value = expected[i + 1];
      String plain =
          value.matches("-?max.*|-?[0-9_]+") ? ScenarioText.number(value).toString() : value;
      if (value.matches("[+-][0-9]+(s|us)")) {
        plain = ScenarioText.time(value).toString();
      }
      same(line, expected[i] + " " + plain, expected[i] + " " + words.of(expected[i], found));
    }
  }

  private interface Words<T> {
    Object of(String word, T found);
  }

  private static Object accountWord(String word, Account account) {
    Limits limits = account.limits();
    return switch (word) {
      case "balance" -> account.balance().balance();
      case "held" -> account.balance().held();
      case "expected" -> account.balance().expected();
      case "spendable" -> account.balance().spendable();
      case "reach" -> account.balance().reach();
      case "available" -> account.available();
      case "roomToDebit" -> account.balance().room(Side.DEBIT, limits);
      case "roomToCredit" -> account.balance().room(Side.CREDIT, limits);
      case "debits" -> account.balance().counters().debitsPosted();
      case "credits" -> account.balance().counters().creditsPosted();
      case "debitsPending" -> account.balance().counters().debitsPending();
      case "creditsPending" -> account.balance().counters().creditsPending();
      case "version" -> account.balance().version();
      case "changes" -> account.lastChange();
      case "min" -> none(limits.minBalance());
      case "max" -> none(limits.maxBalance());
      case "code" -> account.code();
      case "metadata" -> account.metadata().toString().replace(" ", "");
      case "opened" -> account.openedAt();
      case "closed" -> none(account.closedAt());
      default -> throw new IllegalArgumentException("an account has no '" + word + "'");
    };
  }

  private static Object holdWord(String word, Hold hold) {
    return switch (word) {
      case "remaining" -> hold.remaining();
      case "due" -> none(hold.deadline());
      default -> throw new IllegalArgumentException("a hold has no '" + word + "'");
    };
  }

  private static Object transferWord(String word, Transfer transfer) {
    return switch (word) {
      case "kind" -> transfer.kind();
      case "debit" -> transfer.debit();
      case "credit" -> transfer.credit();
      case "asset" -> transfer.asset();
      case "amount" -> transfer.amount();
      case "asked" -> none(transfer.request().amount());
      case "released" -> transfer.released();
      case "last" -> transfer.last();
      case "code" -> transfer.code();
      case "ref" -> none(transfer.reference());
      case "askedRef" -> none(transfer.request().reference());
      case "askedCode" -> none(transfer.request().code());
      case "recorded" -> transfer.recordedAt();
      case "debitVersion" -> transfer.debitAfter().version();
      case "creditVersion" -> transfer.creditAfter().version();
      case "place" ->
          transfer.group() == null
              ? "none"
              : transfer.group().index() + "/" + transfer.group().size();
      default -> throw new IllegalArgumentException("a transfer has no '" + word + "'");
    };
  }

  private static Object none(@Nullable Object value) {
    return value == null ? "none" : value;
  }

  private static String orDefault(String expected, String otherwise) {
    return expected.isEmpty() ? otherwise : expected;
  }

  private static void same(Scenario.Line line, String expected, String found) {
    if (!expected.equals(found)) {
      throw new AssertionError(line + "\n  expected " + expected + " but was " + found);
    }
  }
}
