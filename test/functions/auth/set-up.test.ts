import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import * as outbox from "../../../lib/accounts/outbox.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as statuses from "../../../lib/catalogue/statuses.ts";
import { anId, aTime, aToken, invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { writesIn } from "../../support/store/calls.ts";
import { aMember } from "../../support/world/fixtures.ts";
import { countHashes } from "../../support/world/passwords.ts";
import { avatar } from "../../support/world/resources.ts";

const password = "correct horse";
const owner = { email: "Owner@Example.com", password };

beforeEach(freshTable);

describe("POST /auth/setup", () => {
  it("creates the owner and answers every field", async () => {
    const { user } = success(await portal.setUp({ ...owner, name: " Ada ", siteTitle: " Our board " }), 201);
    expect(user).toStrictEqual({
      authToken: aToken,
      userId: anId,
      name: "Ada",
      username: expect.stringMatching(/^ada_[0-9a-z]{8}$/),
      email: "owner@example.com",
      avatar: avatar(user.userId),
    });
    expect(await users.find(user.userId)).toMatchObject({ role: "owner" });
    expect(await site.find()).toMatchObject({ ownerId: user.userId, title: "Our board" });
    expect((await outbox.waiting()).map(({ to }) => to)).toEqual(["owner@example.com"]);
  });

  it("creates the first board, on which the first post is", async () => {
    const { user } = success(await portal.setUp({ ...owner, name: null, siteTitle: null }), 201);
    expect(user.name).toBe("owner");
    const session = { token: user.authToken };
    const boards = await portal.boards(session);
    expect(boards).toStrictEqual([
      {
        boardId: anId,
        name: "Feedback",
        url: "feedback",
        color: expect.stringMatching(/^[0-9a-f]{6}$/),
        createdAt: aTime,
        post_count: "0",
      },
    ]);
    const { post } = success(await portal.post({ title: "First" }, session), 201);
    expect(post.boardId).toBe(boards[0]?.boardId);
  });

  it.each([
    [undefined, ["Open", "Planned", "Started", "Completed", "Declined"], 0],
    ["fi, *;q=0.1", ["Open", "Planned", "Started", "Completed", "Declined"], 0],
    ["de-AT,en;q=0.5", ["Offen", "Geplant", "Begonnen", "Erledigt", "Abgelehnt"], 1],
    ["es-419", ["Abierto", "Planeado", "En curso", "Completado", "Descartado"], 1],
    ["fr-CA", ["Ouvert", "Prévu", "En cours", "Terminé", "Refusé"], 1],
    ["pt-BR,pt;q=0.9", ["Aberto", "Planejado", "Em andamento", "Concluído", "Recusado"], 1],
    ["ja-JP", ["受付中", "予定", "進行中", "完了", "見送り"], 1],
  ])("names the statuses in the language of Accept-Language: %s", async (accepted, names, version) => {
    const { user } = success(await portal.setUp(owner, accepted ? { "accept-language": accepted } : {}), 201);
    const listed = success(await invoke("statuses-list", {}), 200).statuses;
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(["open", "planned", "started", "completed", "declined"]);
    // English names need no item, as in sites that were set up before there were others.
    expect((await statuses.read()).version).toBe(version);
    const planned = { status: "planned" };
    const { post } = success(await portal.post({ title: "Dark mode" }, { token: user.authToken }), 201);
    const changed = await invoke("posts-set-status", { token: user.authToken, params: post, body: planned });
    expect(success(changed, 200).post.status).toMatchObject({ id: "planned", name: names[1], kind: "planned" });
    await expectSound();
  });

  it("requires the code whose hash is SETUP_CODE_SHA256", async () => {
    newContainer({ SETUP_CODE_SHA256: createHash("sha256").update("open sesame").digest("hex") });
    onTestFinished(() => newContainer({ SETUP_CODE_SHA256: "" }));
    for (const setupCode of [undefined, null, "", "open sesam", "Open sesame", "open sesame "]) {
      const reply = await portal.setUp({ ...owner, setupCode });
      refusal(reply, "NOT_ENOUGH_PERMISSION");
      expect(writesIn(reply)).toEqual([]);
    }
    refusal(await portal.setUp({ ...owner, setupCode: 1 }), "VALIDATION_ERROR");
    refusal(await portal.setUp({ email: "", setupCode: "wrong" }), "EMAIL_INVALID");
    success(await portal.setUp({ ...owner, setupCode: "open sesame" }), 201);
    // As the contract says, whatever the code.
    refusal(await portal.setUp({ ...owner, setupCode: "wrong" }), "SETUP_COMPLETED");
  });

  it("checks address, password, other fields, SETUP_COMPLETED and USER_EXISTS in this order", async () => {
    const { email } = await aMember();
    const inOrder = async (): Promise<void> => {
      refusal(await portal.setUp({ email: "no", password: "", name: "", siteTitle: "" }), "EMAIL_INVALID");
      refusal(await portal.setUp({ email, name: "" }), "PASSWORD_MISSING");
      const bad = await portal.setUp({ email, password: "short", name: "", siteTitle: " " });
      refusal(bad, "VALIDATION_ERROR", "body.password", "body.name", "body.siteTitle");
    };
    await inOrder();
    refusal(await portal.setUp({ email: email.toUpperCase(), password }), "USER_EXISTS");
    expect(await site.find()).toBeUndefined();
    success(await portal.setUp(owner), 201);
    await inOrder();
    refusal(await portal.setUp({ email, password }), "SETUP_COMPLETED");
  });

  it("hashes nothing once the site is set up", async () => {
    success(await portal.setUp(owner), 201);
    const { hashes, result } = await countHashes(() => portal.setUp({ ...owner, email: "second@example.com" }));
    expect(hashes).toBe(0);
    expect(result.calls.length).toBe(1);
  });
});
