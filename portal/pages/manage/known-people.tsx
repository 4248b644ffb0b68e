import { useEffect, useRef, useState } from "preact/hooks";
import { isNoAddress } from "../../../lib/values/no-address.ts";
import { api, Failure } from "../../api.ts";
import { useRead } from "../../data.ts";
import { keptDraft } from "../../drafts.ts";
import { accountOf } from "../../first-vote.ts";
import { useElementId } from "../../parts/element-id.ts";
import { Field } from "../../parts/fields.tsx";
import { useLater } from "../../parts/use-later.ts";
import { isAddress } from "./invited-addresses.ts";
import { people } from "./person.tsx";
import { teamText } from "./team-text.ts";

// On whose behalf the team writes and votes.

type PersonFieldsProps = {
  /** The name of the field for the person; the one for a new person's name begins with it. */
  name: string;
  label: string;
  value?: string | undefined;
  newName?: string | undefined;
  required?: boolean;
};

/** The fields for a person: the browser offers those whose name or address begins with what is typed. */
export function PersonFields({ name, label, value, newName, required = false }: PersonFieldsProps) {
  const [words, setWords] = useState(value ?? "");
  const findSoon = useLater((typed: string) => setWords(typed.trim()));
  const id = useElementId();
  return (
    <>
      <Field
        name={name}
        label={label}
        value={value}
        hint={teamText("onBehalfHint")}
        list={id}
        autoComplete="off"
        onType={findSoon}
        required={required}
      />
      <datalist id={id}>{words && <Found words={words} />}</datalist>
      {(isAddress(words) || newName) && <NameIfNew name={`${name}Name`} address={words} value={newName} />}
    </>
  );
}

/** The new addresses for which a page has asked for a name. */
const askedFor = new Set<string>();

function has({ users }: { users: { email: string }[] }, address: string): boolean {
  return users.some(({ email }) => email === address);
}

type NameProps = { name: string; address: string; value?: string | undefined };

/** Asks for a name where nobody has an address yet. One that a draft has is there while that is looked up. */
function NameIfNew({ name, address, value }: NameProps) {
  const { data } = useRead(people(address, undefined));
  const isNew = useRef(Boolean(value));
  const own = address.toLowerCase();
  if (data) isNew.current = !has(data, own);
  useEffect(() => {
    if (data && isNew.current) askedFor.add(own);
  }, [data, own]);
  if (!isNew.current) return null;
  return <Field name={name} label={teamText("nameIfNew")} value={value} autoComplete="off" maxLength={100} />;
}

/** The fields for an address, and for a name where that address is new. */
export function AddressFields() {
  const [typed, setTyped] = useState("");
  const lookSoon = useLater((address: string) => setTyped(address.trim()));
  return (
    <>
      <Field
        name="email"
        type="email"
        label={teamText("addPerson")}
        hint={teamText("addPersonHint")}
        onType={lookSoon}
        required
      />
      {isAddress(typed) && <NameIfNew name="name" address={typed} />}
    </>
  );
}

function Found({ words }: { words: string }) {
  const { data } = useRead(people(words, undefined));
  return (
    <>
      {data?.users.map((user) => (
        // An import gives people without an address one that says nothing.
        <option key={user.userId} value={isNoAddress(user.email) ? user.name : user.email}>
          {user.name}
        </option>
      ))}
    </>
  );
}

/** Who a new post is by. */
export function AuthorFields() {
  const { author, authorName } = keptDraft("post").values ?? {};
  return <PersonFields name="author" label={teamText("onBehalf")} value={author} newName={authorName} />;
}

/** What the box says that counts a vote for a new post. */
export function countTheirVote(): string {
  return teamText("countTheirVote");
}

/**
 * The account of a person by their address, opened if there is none. Who presses before the field for a new person's
 * name is there is led to it first; an empty one is fine.
 */
export async function accountNamed(field: string, typed: string, name?: string) {
  const address = typed.trim().toLowerCase();
  if (!name && !askedFor.has(address) && !has(await people(address, undefined).load(api), address)) {
    askedFor.add(address);
    const problem = teamText("newAddress");
    throw new Failure(400, "NAME_ASKED", problem, { [field]: problem });
  }
  return accountOf(typed, name);
}

/** The account of a person by their address, opened if there is none; or by their whole name, if one person has it. */
export async function personOf(field: string, typed: string, name?: string) {
  if (typed.includes("@")) return accountNamed(field, typed, name);
  const { users } = await people(typed, undefined).load(api);
  const whole = typed.trim().toLocaleLowerCase();
  const [found, other] = users.filter((user) => user.name.toLocaleLowerCase() === whole);
  if (found && !other) return found;
  const problem = found ? teamText("severalPeople") : teamText(users.length > 0 ? "notWholeName" : "noSuchPerson");
  throw new Failure(400, "PERSON_UNCLEAR", problem, { [field]: problem });
}
