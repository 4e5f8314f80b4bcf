package dev.partita.json;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON document that cannot be meant. Its message is a sentence that a developer can act on,
 * beginning with the pointer if there is one.
 */
public final class JsonProblemException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** It is not JSON, or something follows the document. */
  public static final String INVALID_JSON = "invalid_json";

  /** Another type of value belongs here, such as a text where a number stands. */
  public static final String WRONG_TYPE = "wrong_type";

  /** A field that is required is not there. */
  public static final String MISSING_FIELD = "missing_field";

  /** A field that nobody knows. */
  public static final String UNKNOWN_FIELD = "unknown_field";

  /** A field is there twice in one object. */
  public static final String DUPLICATE_KEY = "duplicate_key";

  /** The type is right, the value is not. */
  public static final String INVALID_VALUE = "invalid_value";

  /** Objects and arrays are nested deeper than {@link JsonReader#DEPTH_MAX}. */
  public static final String TOO_DEEP = "too_deep";

  /** The document, a text or a number in it is longer than what is read. */
  public static final String TOO_LARGE = "too_large";

  private final String code;
  private final String pointer;

  JsonProblemException(String code, String pointer, String sentence) {
    this(code, pointer, sentence, null);
  }

  JsonProblemException(String code, String pointer, String sentence, @Nullable Throwable cause) {
    super(pointer.isEmpty() ? sentence : pointer + ": " + sentence, cause);
    this.code = Objects.requireNonNull(code, "code");
    this.pointer = pointer;
  }

  /** Which kind of problem: one of the constants of this class. */
  public String code() {
    return code;
  }

  /** JSON pointer (RFC 6901) of the offending value; empty for the whole document. */
  public String pointer() {
    return pointer;
  }
}
