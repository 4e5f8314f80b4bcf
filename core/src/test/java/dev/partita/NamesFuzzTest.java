package dev.partita;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/**
 * Any text is either a name and kept to the letter, or refused under the field it was given for.
 */
@Tag("slow")
class NamesFuzzTest {

  @FuzzTest(maxDuration = "30s")
  void accountsAssetsAndIds(FuzzedDataProvider data) {
    boolean isId = data.consumeBoolean();
    if (isId && data.consumeBoolean()) {
      UUID id = new UUID(data.consumeLong(), data.consumeLong());
      assertThat(Ids.parse("id", id.toString())).isEqualTo(id);
    }
    String text = data.consumeRemainingAsString();
    if (isId) {
      UUID id = read("id", text, given -> Ids.parse("id", given));
      if (id != null) {
        assertThat(id.toString()).isEqualTo(text.toLowerCase(Locale.ROOT));
      }
      UUID named = read("name", text, Ids::named);
      if (named != null) {
        assertThat(named.version()).isEqualTo(5);
        assertThat(named).isEqualTo(Ids.named(text));
      }
      return;
    }
    AccountId account = read("account", text, AccountId::of);
    if (account != null) {
      assertThat(text).matches("[A-Za-z0-9._-]+(:[A-Za-z0-9._-]+)*").hasSizeLessThan(129);
      assertThat(account).hasToString(text);
    }
    AssetCode asset = read("asset", text, AssetCode::new);
    if (asset != null) {
      assertThat(text).matches("[A-Z][A-Z0-9_]{0,15}");
      assertThat(asset).hasToString(text);
    }
  }

  private static <T> @Nullable T read(String field, String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (MisuseException e) {
      assertThat(e.field()).isEqualTo(field);
      // A message that is fit for a log and a terminal, whatever was given.
      assertThat(e.getMessage().chars().allMatch(c -> c >= ' ' && c != 0x7f && !isC1(c))).isTrue();
      return null;
    }
  }

  private static boolean isC1(int c) {
    return c >= 0x80 && c < 0xa0;
  }
}
