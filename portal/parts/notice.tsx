import { notice } from "../notices.ts";

export function Notice() {
  const { text, kind } = notice.value ?? {};
  return (
    <div class="notice" role="status" aria-live="polite">
      {text && <p class={kind}>{text}</p>}
    </div>
  );
}
