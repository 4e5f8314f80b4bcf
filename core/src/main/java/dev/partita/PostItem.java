package dev.partita;

import java.util.UUID;

/** One thing to post: a transfer, a group of transfers, or the resolution of a whole group. */
public sealed interface PostItem permits TransferRequest, GroupRequest, GroupResolution {

  /** The transfer's or the group's id. */
  UUID id();

  /** How many transfers it names; a resolution, whose members only the ledger knows, counts one. */
  int transferCount();
}
