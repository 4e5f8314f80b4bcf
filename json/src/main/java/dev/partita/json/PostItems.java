package dev.partita.json;

import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.Ids;
import dev.partita.MisuseException;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.PostResult;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Requests to post and their answers, transfer by transfer; a group's members too. */
final class PostItems {

  private final TransferValues transfers;

  PostItems(TransferValues transfers) {
    this.transfers = transfers;
  }

  PostBody body(JsonInput input) {
    String first = input.enter();
    if ("items".equals(first)) {
      return new PostBody(items(input), false);
    }
    TransferRequest transfer = transfers.request(input.objectFrom(first, ""));
    return new PostBody(request(List.of(transfer), true), true);
  }

  PostRequest request(JsonInput input) {
    String first = input.enter();
    if (!"items".equals(first)) {
      throw first == null ? JsonInput.missing("items") : input.unknown();
    }
    return items(input);
  }

  PostResult result(JsonInput input) {
    if (!"results".equals(input.enter())) {
      throw JsonInput.missing("results");
    }
    List<PostResult.Item> items =
        input.elements(
            PostRequest.TRANSFERS_MAX,
            item ->
                new PostResult.Item(
                    item.list("transfers", GroupRequest.MEMBERS_MAX, transfers::result)));
    input.leave();
    return new PostResult(items);
  }

  private PostRequest items(JsonInput input) {
    List<PostItem> items = input.elements(PostRequest.TRANSFERS_MAX, this::item);
    input.leave();
    return request(items, false);
  }

  private PostItem item(JsonInput input) {
    String pointer = input.pointer();
    String first = input.enter();
    if ("group".equals(first)) {
      GroupRequest group = group(input);
      input.leave();
      return group;
    }
    if ("resolve".equals(first)) {
      GroupResolution resolution = resolution(input.object());
      input.leave();
      return resolution;
    }
    return transfers.request(input.objectFrom(first, pointer));
  }

  private GroupRequest group(JsonInput input) {
    String pointer = input.pointer();
    UUID id = null;
    List<TransferRequest> members = null;
    for (String field = input.enter(); field != null; field = input.nextName()) {
      switch (field) {
        case "id" -> id = input.text(text -> Ids.parse("id", text));
        case "members" ->
            members =
                input.elements(
                    GroupRequest.MEMBERS_MAX, member -> transfers.request(member.object()));
        default -> throw input.unknown();
      }
    }
    if (id == null || members == null) {
      throw new JsonProblemException(
          JsonProblemException.MISSING_FIELD,
          pointer + (id == null ? "/id" : "/members"),
          "is missing");
    }
    try {
      return new GroupRequest(id, members);
    } catch (MisuseException e) {
      throw StrictObject.refused(e, pointer);
    }
  }

  private static GroupResolution resolution(StrictObject object) {
    return object.make(
        () ->
            new GroupResolution(
                TransferValues.id(object, "id"),
                TransferValues.id(object, "groupId"),
                object.choice("kind", TransferKind.class)));
  }

  private static PostRequest request(List<? extends PostItem> items, boolean single) {
    try {
      return new PostRequest(List.copyOf(items));
    } catch (MisuseException e) {
      Integer item = e.item();
      String at = item == null ? "/items" : single ? "" : "/items/" + item;
      throw StrictObject.refused(e, item == null ? at : at + pathOf(e.field()));
    }
  }

  /** The path below an item of a field such as {@code members[3].id}. */
  private static String pathOf(@Nullable String field) {
    if (field == null) {
      return "";
    }
    return field.startsWith("members[")
        ? "/group/" + field.replace("[", "/").replace("].", "/")
        : "/" + field;
  }
}
