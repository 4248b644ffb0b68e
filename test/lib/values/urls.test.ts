import { describe, expect, it } from "vitest";
import { newAccount } from "../../../lib/auth/accounts.ts";
import { urlFor } from "../../../lib/values/urls.ts";
import { worldNames } from "../../support/world/texts.ts";

const names: [name: string, url: string][] = [
  ["Größe & Maß", "grosse-mass"],
  ["STRAẞE", "strasse"],
  ["Łódź", "lodz"],
  ["Ærø", "aero"],
  ["Ǿystein", "oystein"],
  ["Đà Nẵng", "da-nang"],
  ["Þórður", "thordur"],
  ["Œuvre", "oeuvre"],
  ["Işık", "isik"],
  ["İstanbul", "istanbul"],
  ["Ħal Għargħur", "hal-gharghur"],
  ["Əliyev", "eliyev"],
  ["Ɔkɔ Ɛfua", "oko-efua"],
  ["Ɖeɖe Ƒlolo Ʋu", "dede-flolo-vu"],
  ["Ɓauna Ɗanladi Ƙano Ƴar", "bauna-danladi-kano-yar"],
  ["Crème brûlée", "creme-brulee"],
];

describe("A name in ASCII", () => {
  it.each(names)("makes of %s the url %s", (name, url) => {
    expect(urlFor(name, "board", 0)).toBe(url);
  });

  it.each(names)("makes of %s a username with all its letters", (name, url) => {
    const { username } = newAccount("x@example.com", name, "member");
    expect(username.replace(/_\w{8}$/, "")).toBe(url.replaceAll("-", ""));
  });

  it.each(worldNames)("keeps the letters of %s in a username", (name, kept) => {
    const { username } = newAccount("x@example.com", name, "member");
    expect(username.replace(/_\w{8}$/, "")).toBe(kept.slice(0, 21) || "user");
  });

  it("falls back where no letter is Latin", () => {
    expect(urlFor("日本語", "board", 0)).toBe("board");
  });
});
