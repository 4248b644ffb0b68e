import { describe, expect, it } from "vitest";
import { aFolder, call, eventually, signUp, startServer } from "../../support/process/server-process.ts";

// On one machine no stream tells what follows from a changed post: the server watches its own transactions, and looks
// at all posts when it starts.

type Titled = { title: string };

describe.runIf(process.platform === "linux")("npm start", () => {
  it("finds a post by its words soon, also after a kill right after the post was created", async () => {
    const env = { DATA_DIR: aFolder() };
    const first = await startServer({ env });
    const similar = async (baseUrl: string): Promise<string[]> =>
      (await call(baseUrl, "POST", "/posts/similar", { body: { title: "add a dark mode" } })).body.posts.map(
        ({ title }: Titled) => title,
      );
    await call(first.baseUrl, "POST", "/auth/setup", {
      body: { email: "olga@example.com", password: "correct horse" },
    });
    const token = await signUp(first.baseUrl, "ada@example.com");
    const post = (title: string) => call(first.baseUrl, "POST", "/posts", { token, body: { title } });
    const { body } = await post("Dark mode");
    await eventually(async () => expect(await similar(first.baseUrl)).toEqual(["Dark mode"]));
    await call(first.baseUrl, "PATCH", "/posts", { token, body: { id: body.post.postId, title: "Bright mode" } });
    await eventually(async () => expect(await similar(first.baseUrl)).toEqual(["Bright mode"]));
    await post("A mode that is dark");
    first.process.kill("SIGKILL");
    await first.ended;
    const second = await startServer({ env });
    await eventually(async () => expect(await similar(second.baseUrl)).toEqual(["A mode that is dark", "Bright mode"]));
    await second.stop();
  });
});
