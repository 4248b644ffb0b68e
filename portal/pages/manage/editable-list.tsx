import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Failure } from "../../api.ts";
import { attempt, carryOut } from "../../notices.ts";
import { Action, Dot, Pending } from "../../parts/basics.tsx";
import { Check, Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { t } from "../../text.ts";
import { teamText } from "./team-text.ts";
import { problemOfSlug } from "./typed-addresses.ts";

/** A board, a roadmap or a status; `url` and `display` only where there are such. */
type Item = { id: string; name: string; color: string; url?: string; display?: boolean };

type ListProps<T extends Item> = {
  items: T[] | undefined;
  read: { failure?: Failure; again: () => Promise<void> };
  add: (values: Values, key: string) => Promise<unknown>;
  save: (item: T, values: Values) => Promise<unknown>;
  remove: (item: T) => Promise<unknown>;
  /** Whether it may be deleted. */
  isRemovable?: (item: T) => boolean;
  /** The question before it is deleted. */
  asksToRemove?: (item: T) => string;
  /** What the field for a new item is called. */
  newName: string;
  /** The most characters of a name. */
  longestName?: number;
  /** Gives an item the place of another. */
  move?: (item: T, place: T) => Promise<unknown>;
  /** What stands beside its name. */
  about?: (item: T) => ComponentChildren;
  fields?: (item: T) => ComponentChildren;
  /** What is chosen for a new item, besides its name. */
  newFields?: ComponentChildren;
};

const WAYS = [["up", -1, "↑"] as const, ["down", 1, "↓"] as const];

/** What is wrong with a name: people cannot tell two things of one name apart, whatever its capitals. */
function problemOfName<T extends Item>(items: T[], own?: T): (typed: string) => string | undefined {
  const plain = (name: string) => name.trim().toLocaleLowerCase();
  return (typed) => {
    const other = items.find(({ id, name }) => id !== own?.id && plain(name) === plain(typed));
    return other && teamText("nameTaken", { name: other.name });
  };
}

/** Items that the owner adds, changes, deletes, and orders by dragging or by buttons. */
export function EditableList<T extends Item>({
  items,
  read,
  add,
  save,
  remove,
  isRemovable = () => true,
  asksToRemove = ({ name }) => teamText("deleteItem", { name }),
  newName,
  longestName = 100,
  move,
  about,
  fields,
  newFields,
}: ListProps<T>) {
  const dragged = useRef<T>();
  const [target, setTarget] = useState<string>();
  const put = (item: T | undefined, index: number, focus?: string) => {
    const place = items?.[index];
    if (!move || !item || !place || item.id === place.id) return;
    const said = teamText("moved", { name: item.name, n: index + 1 });
    void attempt(carryOut(move(item, place), read.again, said)).then(() =>
      // The row has moved away from under the keyboard.
      requestAnimationFrame(() => focus && document.getElementById(`${focus} ${item.id}`)?.focus()),
    );
  };
  if (!items) return <Pending {...read} />;
  const isOrdered = move && items.length > 1;
  return (
    <>
      <ol class="rows">
        {items.map((item, index) => (
          <li
            key={item.id}
            class="item"
            data-target={target === item.id}
            onDragOver={(event) => {
              event.preventDefault();
              setTarget(item.id);
            }}
            onDrop={() => {
              setTarget(undefined);
              put(dragged.current, index);
            }}
          >
            {isOrdered && (
              <span
                class="handle"
                aria-hidden="true"
                draggable
                onDragStart={() => Object.assign(dragged, { current: item })}
                onDragEnd={() => setTarget(undefined)}
              >
                ⠿
              </span>
            )}
            <details class="wide">
              <summary>
                <Dot color={item.color} /> {item.name} <span class="quiet-text">{about?.(item)}</span>
              </summary>
              <Form
                send={(values) => carryOut(save(item, values), read.again)}
                button={t("save")}
                // Edits that are kept over the end of a session find their row by it.
                label={item.name}
              >
                <Field
                  name="name"
                  label={t("name")}
                  value={item.name}
                  check={problemOfName(items, item)}
                  maxLength={longestName}
                  required
                />
                {item.url !== undefined && (
                  <Field name="url" label={t("url")} value={item.url} check={problemOfSlug} maxLength={50} required />
                )}
                <Field name="color" type="color" label={t("color")} value={`#${item.color}`} />
                {item.display !== undefined && <Check name="display" label={teamText("display")} on={item.display} />}
                {fields?.(item)}
              </Form>
            </details>
            <span class="actions">
              {isOrdered &&
                WAYS.map(([way, step, arrow]) => (
                  <button
                    key={way}
                    type="button"
                    id={`${way} ${item.id}`}
                    aria-label={teamText(way, { name: item.name })}
                    aria-disabled={!items[index + step]}
                    onClick={() => put(item, index + step, way)}
                  >
                    {arrow}
                  </button>
                ))}
              {isRemovable(item) && (
                <Action
                  act={() => carryOut(remove(item), read.again, t("deleted"))}
                  label={t("delete")}
                  of={item.name}
                  ask={asksToRemove(item)}
                />
              )}
            </span>
          </li>
        ))}
      </ol>
      <Form
        send={(values, key) => carryOut(add(values, key), read.again, teamText("added", { name: values.name ?? "" }))}
        button={teamText("add")}
        label={teamText("add")}
      >
        <Field name="name" label={newName} check={problemOfName(items)} maxLength={longestName} required />
        {newFields}
      </Form>
    </>
  );
}
