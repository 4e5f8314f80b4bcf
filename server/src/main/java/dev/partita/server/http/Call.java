package dev.partita.server.http;

import dev.partita.AccountId;
import dev.partita.Ids;
import dev.partita.MisuseException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request that has found its route: its path is decoded, its query is read.
 *
 * @param request as it came
 * @param id names it in the log and in problems
 * @param variables what the placeholders of the route's path stand for
 * @param query its parameters
 * @param keyName name of the API key that it was let in by; null where none is needed
 */
public record Call(
    Request request,
    String id,
    Map<String, String> variables,
    Query query,
    @Nullable String keyName) {

  /** Takes a copy. */
  public Call {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(id, "id");
    variables = Map.copyOf(variables);
    Objects.requireNonNull(query, "query");
  }

  /** Its body. */
  public InputStream body() {
    return request.body();
  }

  /** Whether the client asks for a media type by its name. */
  public boolean names(String mediaType) {
    return MediaTypes.isNamed(request, mediaType);
  }

  /** What a placeholder stands for. */
  public String variable(String name) {
    return Objects.requireNonNull(variables.get(name), name);
  }

  /** The account that a placeholder names; a 400 if it cannot be an account's id. */
  public AccountId account(String name) {
    try {
      return new AccountId(variable(name));
    } catch (MisuseException e) {
      throw Query.bad("invalid_parameter", name, e.detail());
    }
  }

  /** The UUID that a placeholder is; a 400 if it is none. */
  public UUID uuid(String name) {
    try {
      return Ids.parse(name, variable(name));
    } catch (MisuseException e) {
      throw Query.bad("invalid_parameter", name, e.detail());
    }
  }
}
