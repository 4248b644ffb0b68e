import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Failure } from "../../api.ts";
import { carryOut } from "../../deeds.ts";
import { announce } from "../../notices.ts";
import { agrees } from "../../parts/agrees.ts";
import { Action, Dot, Pending } from "../../parts/basics.tsx";
import { Check, Field, type Values } from "../../parts/fields.tsx";
import { focusSoon } from "../../parts/focus.ts";
import { Form } from "../../parts/form.tsx";
import { t } from "../../text.ts";
import { isSameName } from "./compare-names.ts";
import { useReordering } from "./reordering.ts";
import { RowActions } from "./row-actions.tsx";
import { teamText } from "./team-text.ts";
import { problemOfSlug } from "./typed-addresses.ts";

/** A board, a roadmap, a status or a tag; `url` and `display` only where there are such. */
type Item = { id: string; name: string; color: string; url?: string; display?: boolean };

type ListProps<T extends Item> = {
  items: T[] | undefined;
  read: { failure?: Failure; again: () => Promise<void> };
  add: (values: Values, key: string) => Promise<unknown>;
  save: (item: T, values: Values) => Promise<unknown>;
  /** Deletes an item; `values` is what was chosen in its row. */
  remove: (item: T, values: Values) => Promise<unknown>;
  /** Why an item always stays, where one does. */
  whyItStays?: (item: T) => string | undefined;
  /** Looks whether it can be deleted now, and says why where it cannot. */
  mayRemove?: (item: T) => Promise<boolean>;
  /** What is said of the last deed with a row: after its summary while it is open, and below it otherwise. */
  outcome?: (item: T) => ComponentChildren;
  /** The address of its page, up to what the owner chooses of it. */
  home?: string;
  /** The question before it is deleted, where a yes or no is all that is asked. */
  asksToRemove?: (item: T) => string | Promise<string>;
  /** What is chosen in its row before it is deleted: then the question stands there too. */
  asksInRow?: (item: T) => ComponentChildren;
  /** What is said once it is deleted. */
  saysRemoved?: (item: T, values: Values) => string;
  /** What the field for a new item is called. */
  newName: string;
  /** The most characters of a name. */
  longestName?: number;
  /**
   * Gives an item the place of another. `next`: what then follows it; undefined if it is the last. Absent where the
   * list has an order of its own.
   */
  move?: (item: T, place: T, next: T | undefined) => Promise<unknown>;
  /** What stands beside its name. */
  about?: (item: T) => ComponentChildren;
  fields?: (item: T) => ComponentChildren;
  /** What stands below the form of an open row. */
  below?: (item: T) => ComponentChildren;
  /** What is chosen for a new item, besides its name. */
  newFields?: ComponentChildren;
  /** What stands in the place of a list without items. */
  empty?: ComponentChildren;
};

const WAYS = [["up", -1, "↑"] as const, ["down", 1, "↓"] as const];

/** What is wrong with a name: people cannot tell two things of one name apart, whatever its capitals. */
function problemOfName<T extends Item>(items: T[], own?: T): (typed: string) => string | undefined {
  return (typed) => {
    const other = items.find(({ id, name }) => id !== own?.id && isSameName(name, typed));
    return other && teamText("nameTaken", { name: other.name });
  };
}

/** Items that the team adds, changes, deletes, and orders by dragging or by buttons. */
export function EditableList<T extends Item>(props: ListProps<T>) {
  const { items, read, add, newName, longestName = 100, newFields, empty } = props;
  if (!items) return <Pending {...read} />;
  return (
    <>
      {items.length > 0 ? <Rows {...props} items={items} /> : empty}
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

/** The move in a list that has an order of its own: no row offers it. */
async function stays(): Promise<void> {}

type RowsProps<T extends Item> = ListProps<T> & { items: T[] };

function Rows<T extends Item>(props: RowsProps<T>) {
  const { items, read, remove, move, whyItStays, asksInRow, saysRemoved = () => t("deleted") } = props;
  const { asksToRemove = ({ name }) => teamText("deleteItem", { name }), mayRemove } = props;
  const [ending, setEnding] = useState<string>();
  const { put, isBusy, drag, target } = useReordering(items, move ?? stays, read.again);
  const isOrdered = move !== undefined && items.length > 1;
  const removeAsked = async (item: T) => {
    const why = whyItStays?.(item);
    if (why) return announce(why, "problem");
    if (mayRemove && !(await mayRemove(item))) return;
    if (asksInRow) return setEnding(item.id);
    if (await agrees(await asksToRemove(item), t("delete"))) await removeNow(item);
  };
  const removeNow = (item: T, values: Values = {}) =>
    carryOut(remove(item, values), read.again, saysRemoved(item, values));
  const keep = ({ id }: T) => {
    setEnding(undefined);
    focusSoon(() => {
      const button = document.getElementById(`delete ${id}`);
      // On a phone it is in a menu.
      return button?.offsetParent ? button : button?.closest("li")?.querySelector<HTMLElement>(".unfold");
    });
  };
  return (
    <ol class="rows">
      {items.map((item, index) => (
        <li key={item.id} class="item" {...(isOrdered && target(item, index))}>
          {isOrdered && (
            <span class="handle" aria-hidden="true" draggable {...drag(item)}>
              ⠿
            </span>
          )}
          <Opening {...props} item={item}>
            {ending !== item.id && (
              <RowActions of={item.name}>
                {isOrdered &&
                  WAYS.map(([way, step, arrow]) => (
                    <button
                      key={way}
                      type="button"
                      id={`${way} ${item.id}`}
                      aria-label={teamText(way, { name: item.name })}
                      aria-disabled={isBusy || !items[index + step]}
                      onClick={() => put(item, index + step, way)}
                    >
                      {arrow}
                    </button>
                  ))}
                <Action
                  act={() => removeAsked(item)}
                  id={`delete ${item.id}`}
                  label={t("delete")}
                  of={item.name}
                  kind="quiet danger"
                  isOff={whyItStays?.(item) !== undefined}
                />
              </RowActions>
            )}
          </Opening>
          {ending === item.id && (
            <Question of={item} end={(values) => removeNow(item, values)} close={() => keep(item)}>
              {asksInRow?.(item)}
            </Question>
          )}
        </li>
      ))}
    </ol>
  );
}

type QuestionProps = {
  of: Item;
  end: (values: Values) => Promise<unknown>;
  close: () => void;
  children: ComponentChildren;
};

/** The question before an item is deleted, with what is chosen for that, in the place of its buttons. */
function Question({ of: { name }, end, close, children }: QuestionProps) {
  const question = teamText("deleteItem", { name });
  return (
    <div class="further">
      <Form isEnd send={end} button={t("delete")} label={question} close={close}>
        <p role="alert">{question}</p>
        {children}
      </Form>
    </div>
  );
}

/** A row, and the form that it opens. `children`: what stands beside it. */
function Opening<T extends Item>({ item, children, ...list }: RowsProps<T> & { item: T; children: ComponentChildren }) {
  const { items, read, save, longestName = 100, home = "", about, fields, below, outcome } = list;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <details class="wide" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <Dot color={item.color} /> {item.name} <span class="quiet-text">{about?.(item)}</span>
        </summary>
        {isOpen && outcome?.(item)}
        <Form
          send={(values) => carryOut(save(item, values), read.again)}
          button={t("save")}
          label={item.name}
          keptAs={item.id}
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
            <Field
              name="url"
              label={teamText("url")}
              hint={teamText("urlHint", { home })}
              value={item.url}
              check={problemOfSlug}
              maxLength={50}
              required
            />
          )}
          <Field name="color" type="color" label={teamText("color")} value={`#${item.color}`} />
          {item.display !== undefined && <Check name="display" label={teamText("display")} on={item.display} />}
          {fields?.(item)}
        </Form>
        {isOpen && below?.(item)}
      </details>
      {children}
      {!isOpen && outcome?.(item)}
    </>
  );
}
