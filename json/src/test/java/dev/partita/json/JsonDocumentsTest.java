package dev.partita.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

class JsonDocumentsTest {

  @Test
  void aDocumentThatBrokeOffDoesNotLookComplete() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                JsonDocuments.write(
                    out,
                    generator -> {
                      generator.writeStartObject();
                      generator.writeArrayPropertyStart("transfers");
                      throw new IllegalStateException("the ledger went away");
                    }));

    assertThat(out.toString(UTF_8)).doesNotContain("]").doesNotContain("}");
  }
}
