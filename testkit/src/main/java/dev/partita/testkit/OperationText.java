package dev.partita.testkit;

import dev.partita.Asset;
import dev.partita.Balance;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.Limits;
import dev.partita.NewAccount;
import dev.partita.PostItem;
import dev.partita.Side;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.UpTo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes operations in the language of {@link ScenarioText}, so that what a random workload found
 * can be pasted into a table.
 */
final class OperationText {

  private final Map<UUID, String> names;

  /**
   * @param names what ids are called; others are written as they are
   */
  OperationText(Map<UUID, String> names) {
    this.names = names;
  }

  String of(List<Operation> operations) {
    StringBuilder text = new StringBuilder();
    for (Operation operation : operations) {
      append(text, operation);
    }
    return text.toString();
  }

  private void append(StringBuilder text, Operation operation) {
    switch (operation) {
      case Operation.Register register -> {
        for (Asset asset : register.assets()) {
          text.append("asset ").append(asset.code()).append(' ').append(asset.scale()).append('\n');
        }
      }
      case Operation.Open open -> {
        for (NewAccount account : open.accounts()) {
          text.append(account(account)).append('\n');
        }
      }
      case Operation.Change change -> text.append(change.words()).append('\n');
      case Operation.Post post -> {
        List<PostItem> items = post.request().items();
        if (items.size() == 1) {
          append(text, "", items.getFirst());
        } else {
          text.append("request\n");
          items.forEach(item -> append(text, "  ", item));
        }
      }
      case Operation.Expire expire -> text.append("expire ").append(expire.limit()).append('\n');
      case Operation.SetClock set -> text.append("clock ").append(time(set.to())).append('\n');
      case Operation.LookAtAccount look ->
          text.append("account ").append(look.account()).append('\n');
      case Operation.LookAtHold look -> text.append("hold ").append(name(look.hold())).append('\n');
      case Operation.LookAtTransfer look ->
          text.append("transfer ").append(name(look.transfer())).append('\n');
    }
  }

  private void append(StringBuilder text, String indent, PostItem item) {
    text.append(indent);
    switch (item) {
      case TransferRequest transfer -> text.append(transfer(transfer)).append('\n');
      case GroupRequest group -> {
        text.append("group ").append(name(group.id())).append('\n');
        group.members().forEach(member -> append(text, indent + "  ", member));
      }
      case GroupResolution resolution ->
          text.append(resolution.kind() == TransferKind.POST ? "postGroup " : "voidGroup ")
              .append(name(resolution.id()))
              .append(' ')
              .append(name(resolution.groupId()))
              .append('\n');
    }
  }

  private String name(@Nullable UUID id) {
    return names.getOrDefault(id, String.valueOf(id));
  }

  private static String account(NewAccount account) {
    StringBuilder text = new StringBuilder("open " + account.id() + " " + account.asset());
    if (account.normal() == Side.DEBIT) {
      text.append(" debit");
    }
    text.append(limits(account.limits()));
    if (account.code() != 0) {
      text.append(" code ").append(account.code());
    }
    return text + notes(account.metadata().asMap());
  }

  private static String limits(Limits limits) {
    Balance min = limits.minBalance();
    Balance max = limits.maxBalance();
    return (min == null ? "" : " min " + min) + (max == null ? "" : " max " + max);
  }

  private static String notes(Map<String, String> notes) {
    StringBuilder text = new StringBuilder();
    notes.forEach((key, value) -> text.append(" note ").append(key).append('=').append(value));
    return text.toString();
  }

  private static String time(Instant time) {
    Duration since = Duration.between(ManualClock.START, time);
    if (since.compareTo(Duration.ofDays(36_500)) > 0
        || since.compareTo(Duration.ofDays(-36_500)) < 0) {
      return time.toString();
    }
    long micros = since.toNanos() / 1_000;
    String text = micros % 1_000_000 == 0 ? micros / 1_000_000 + "s" : micros + "us";
    return micros < 0 ? text : "+" + text;
  }

  String transfer(TransferRequest request) {
    StringBuilder text = new StringBuilder();
    String id = name(request.id());
    switch (request.kind()) {
      case DIRECT, PENDING ->
          text.append(request.kind().name().toLowerCase(Locale.ROOT)).append(' ').append(id);
      case POST -> text.append("post ").append(id).append(' ').append(name(request.relatedId()));
      case VOID -> text.append("void ").append(id).append(' ').append(name(request.relatedId()));
      case REVERSAL ->
          text.append("reverse ").append(id).append(' ').append(name(request.relatedId()));
      case EXPIRY -> throw new IllegalArgumentException("nobody posts an EXPIRY");
    }
    if (request.debit() != null || request.credit() != null) {
      text.append(' ')
          .append(request.debit() == null ? "" : request.debit())
          .append('→')
          .append(request.credit() == null ? "" : request.credit());
    }
    append(text, " ", request.amount());
    append(text, " timeout ", request.timeoutSeconds());
    boolean isDefault = !request.kind().isRelated() && ScenarioText.EUR.equals(request.asset());
    append(text, " in ", isDefault ? null : request.asset());
    append(text, " at ", request.effectiveAt() == null ? null : time(request.effectiveAt()));
    Integer code = request.code();
    append(
        text,
        " code ",
        code == null || (code == 0 && !request.kind().resolvesHold()) ? null : code);
    append(text, " ref ", request.reference());
    if (request.upTo() != UpTo.NONE) {
      text.append(" upTo ").append(request.upTo().name().toLowerCase(Locale.ROOT));
    }
    if (request.keepRemainder()) {
      text.append(" keep");
    }
    return text + notes(request.metadata().asMap());
  }

  private static void append(StringBuilder text, String word, @Nullable Object value) {
    if (value != null) {
      text.append(word).append(value);
    }
  }
}
