import { domainToASCII } from "node:url";

/** A sender of mails. The domain of its address is in ASCII and small letters, as SES and IAM compare it. */
export type Sender = { name: string; address: string };

const ADDRESS = String.raw`([\x21-\x7e]+)@([^\s@<>"]+\.[^\s@<>"]+)`;
const ALONE = new RegExp(`^${ADDRESS}$`);
const NAMED = new RegExp(`^(?:"([^<>"]+)"|([^<>"]+?)) *<${ADDRESS}>$`);
// What an address may have only in quotes, which SES does not accept.
const NOT_IN_ADDRESS = /[<>()[\]\\,;:@"]/;

/** Reads `Name <address>`, `"Name" <address>` or an address; undefined if the text is none of these. */
export function readSender(text: string): Sender | undefined {
  const [, quoted, plain, ...named] = NAMED.exec(text) ?? [];
  const [local = "", domain = ""] = named.length > 0 ? named : (ALONE.exec(text)?.slice(1) ?? []);
  const ascii = domainToASCII(domain);
  if (ascii === "" || NOT_IN_ADDRESS.test(local)) return undefined;
  return { name: (quoted ?? plain ?? "").trim(), address: `${local}@${ascii}` };
}

/** The sender as the header From has it, in ASCII: SES passes it on as it stands (RFC 5322, RFC 2047). */
export function senderHeader({ name, address }: Sender): string {
  return name === "" ? address : `${phrase(name)} <${address}>`;
}

const ATOMS = /^[\w!#$%&'*+/=?^`{|}~-]+(?: [\w!#$%&'*+/=?^`{|}~-]+)*$/;
const ASCII = /^[\x20-\x7e]*$/;

function phrase(name: string): string {
  if (ATOMS.test(name) && !name.includes("=?")) return name;
  if (ASCII.test(name)) return `"${name.replaceAll("\\", "\\\\")}"`;
  return encodedWords(name).join(" ");
}

// An encoded word has at most 75 characters: 60 of Base64, which hold 45 bytes.
const BYTES_OF_A_WORD = 45;

function encodedWords(text: string): string[] {
  const pieces = [""];
  for (const character of text) {
    const longer = pieces.at(-1) + character;
    if (Buffer.byteLength(longer) > BYTES_OF_A_WORD) pieces.push(character);
    else pieces[pieces.length - 1] = longer;
  }
  return pieces.map((piece) => `=?UTF-8?B?${Buffer.from(piece).toString("base64")}?=`);
}
