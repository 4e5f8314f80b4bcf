package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PostgresSchemaTest {

  @Test
  void makesASchemaAndFindsItCurrent() {
    PostgresSchema schema = new PostgresSchema(TestServer.owner(), TestServer.freeName());
    assertThat(schema.status().state()).isEqualTo(SchemaStatus.State.MISSING);
    assertThat(schema.migrate().state()).isEqualTo(SchemaStatus.State.CURRENT);
    schema.grant(TestServer.applicationRole());
    assertThat(schema.migrate().state()).isEqualTo(SchemaStatus.State.CURRENT);
  }
}
