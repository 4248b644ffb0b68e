/** Every fault that can meet a request: on its way to the store, in it, or on the way back. */
export type FaultKind =
  | "refuse" // nobody takes the connection
  | "reset-before" // the connection is reset before the store gets the request
  | "lost" // the request never arrives
  | "slow" // it arrives after a while
  | "late" // it arrives, and is carried out, when its sender has given it up
  | "reset-after" // it is carried out, then the connection is reset
  | "lost-answer" // it is carried out, and its answer is lost
  | "late-answer" // it is carried out, and its answer comes after a while
  | "500-before" // the store fails before it did anything
  | "500-after" // the store fails after it did everything
  | "unavailable" // something in front of the store answers with a 503 and a page in HTML
  | "throttle" // the store throttles it
  | "cut-answer" // its answer breaks off with the connection
  | "stalled-answer" // its answer stops in the middle, and the connection stays
  | "garbled-answer" // its answer comes whole and cannot be read
  | "conflict" // some of its items count as held by another transaction
  | "in-progress" // its token counts as in use
  | "stall" // its transaction is decided and then stands still for a while, holding its items
  | "unprocessed" // a batch leaves some of its keys over
  | "short-page" // a page ends early
  | "kill-before" // the container that sends it dies just before
  | "kill-after"; // the container that sent it dies just after

export type Fault = {
  /** Names the request: the operation of a client, and the number of the request in it. */
  request: string;
  kind: FaultKind;
  milliseconds: number;
};

/** How many percent of the requests meet a fault, and perhaps how long it lasts, in milliseconds. */
type Rate = number | readonly [percent: number, low: number, high: number];

/** Faults for requests of some operations. At most one meets a request: the earlier ones are drawn first. */
export type Weather = readonly (readonly [operations: RegExp, rates: Partial<Record<FaultKind, Rate>>])[];

/** Faults that last, with their usual durations. */
export const DURATIONS: Partial<Record<FaultKind, [low: number, high: number]>> = {
  slow: [10, 1000],
  // A client gives a request up after two seconds.
  late: [2000, 3500],
  "late-answer": [10, 3000],
  stall: [50, 5000],
};

/** The operations that some faults fit. */
export const FITS: Partial<Record<FaultKind, RegExp>> = {
  conflict: /^(TransactWriteItems|PutItem|UpdateItem|DeleteItem)$/,
  "in-progress": /^TransactWriteItems$/,
  stall: /^TransactWriteItems$/,
  unprocessed: /^Batch/,
  "short-page": /^Query$/,
};
