package dev.partita.server;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server over an empty ledger for each test, and the beginnings that tests share. */
abstract class ApiTest {

  static final String HOLD = "00000000-0000-4000-8000-000000000002";

  TestServer server;

  @BeforeEach
  final void startServer() {
    server = TestServer.overMemory();
  }

  @AfterEach
  final void stopServer() {
    server.close();
  }

  final Answer get(String address) {
    return server.get(address);
  }

  final Answer post(String address, String body) {
    return server.post(address, body);
  }

  final Answer patch(String address, String body) {
    return server.patch(address, body);
  }

  /** EUR, and accounts {@code bank} (DEBIT-normal) and {@code wallet} (not below zero). */
  final void givenAccounts() {
    post("/v1/assets", "{\"assets\":[{\"code\":\"EUR\"}]}").ok(200);
    post(
            "/v1/accounts",
            """
            {"accounts":[{"id":"bank","asset":"EUR","normal":"DEBIT"},
                         {"id":"wallet","asset":"EUR","minBalance":"0"}]}""")
        .ok(200);
  }

  /** A transfer from bank to wallet. */
  static String direct(int id, String amount) {
    return """
    {"id":"%s","asset":"EUR","debit":"bank","credit":"wallet","amount":"%s"}"""
        .formatted(id(id), amount);
  }

  static String id(int number) {
    return "00000000-0000-4000-8000-%012d".formatted(number);
  }

  /** A hold of 10.00 under {@link #HOLD}, from bank to wallet, for an hour. */
  final void givenHold() {
    post(
            "/v1/transfers",
            """
            {"id":"%s","kind":"PENDING","asset":"EUR","debit":"bank","credit":"wallet",
             "amount":"10.00","timeoutSeconds":3600,"reference":"order 7"}"""
                .formatted(HOLD))
        .ok(201);
  }
}
