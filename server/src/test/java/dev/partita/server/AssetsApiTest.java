package dev.partita.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AssetsApiTest extends ApiTest {

  @Test
  void registersAssetsEachByItself() {
    Answer answer =
        post("/v1/assets", "{\"assets\":[{\"code\":\"EUR\"},{\"code\":\"BTC\",\"scale\":8}]}");
    assertThat(answer.ok(200).body())
        .isEqualTo(
            """
            {"results":[{"asset":{"code":"EUR","scale":2},"status":"CREATED"},\
            {"asset":{"code":"BTC","scale":8},"status":"CREATED"}]}""");
  }

  @Test
  void saysWhatIsStoredWhereAScaleDiffers() {
    post("/v1/assets", "{\"assets\":[{\"code\":\"BTC\",\"scale\":8}]}").ok(200);
    Answer answer = post("/v1/assets", "{\"assets\":[{\"code\":\"BTC\",\"scale\":9}]}").ok(200);
    assertThat(answer.text("/results/0/status")).isEqualTo("EXISTS_DIFFERENT");
    assertThat(answer.at("/results/0/asset/scale").intValue()).isEqualTo(8);
  }

  @Test
  void listsAssetsInOrder() {
    assertThat(get("/v1/assets").ok(200).body()).isEqualTo("{\"assets\":[]}");
    post("/v1/assets", "{\"assets\":[{\"code\":\"USD\"},{\"code\":\"EUR\"}]}").ok(200);
    assertThat(get("/v1/assets").ok(200).at("/assets").findValuesAsString("code"))
        .containsExactly("EUR", "USD");
  }

  @Test
  void needsAScaleForWhatIsNoCurrency() {
    Answer refused = post("/v1/assets", "{\"assets\":[{\"code\":\"EUR\"},{\"code\":\"GOLD\"}]}");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text("/pointer")).startsWith("/assets/1");
    assertThat(refused.text("/detail")).contains("GOLD");
    assertThat(get("/v1/assets").at("/assets").size()).isZero();
  }
}
