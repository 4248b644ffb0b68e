/** Line drawings on a square of 16, in the colour of the text beside them. */
const DRAWINGS = {
  up: "M3 10.5 8 5l5 5.5",
  back: "M13 8H3m4.5-5L3 8l4.5 5",
  comment: "M2.5 3.5h11v7.5H8l-3 2.5V11H2.5z",
  link: "M6.5 9.5a2.8 2.8 0 0 0 4 0l2.2-2.2a2.8 2.8 0 0 0-4-4L8 4m1.5 2.5a2.8 2.8 0 0 0-4 0L3.3 8.7a2.8 2.8 0 0 0 4 4L8 12",
  lock: "M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5",
  pin: "M8 10v4.5M5.5 2h5L10 6l2.5 2.5v1.5h-9V8.5L6 6z",
  person: "M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8M2.8 13.6a5.3 5.3 0 0 1 10.4 0",
  eye: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zm4.7 0a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 0 0-3.6 0",
  lost: "M7 12.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11m4-1.5 3.5 3.5M5.6 5.6a1.5 1.5 0 1 1 2.2 1.3c-.5.3-.8.6-.8 1.1m0 1.6v.1",
  bulb: "M6 11.5V10.4a4 4 0 1 1 4 0v1.1zM6.5 14h3",
};

export function Icon({ name }: { name: keyof typeof DRAWINGS }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={DRAWINGS[name]} fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round" />
    </svg>
  );
}
