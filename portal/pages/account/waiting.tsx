import { useEffect, useState } from "preact/hooks";
import { answer, api, type Failure } from "../../api.ts";
import { announce } from "../../notices.ts";
import { Problem } from "../../parts/basics.tsx";
import { token } from "../../session.ts";
import { openSession, useWayOn } from "./entering.tsx";
import { wishOfWaiting } from "./kept-for-mail.ts";

/** Whose session this browser has. */
async function ownAddress(): Promise<string> {
  return (await answer(api.GET("/users/profile"))).user.email;
}

/**
 * Lets a page that waits for the link of a mail continue once another tab has signed in: to what the person wanted at
 * `next`. A person who has left the page by then stays where they are. Until this tab knows who has signed in, it does
 * nothing and forgets nothing. Returns what says why it does not know.
 */
export function useWaiting(next: string | undefined, isWaiting: () => boolean) {
  const goOn = useWayOn();
  const [failure, setFailure] = useState<Failure>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const authToken = token.value;
    if (!authToken || !isWaiting()) return setFailure(undefined);
    let isHere = true;
    const enter = (email: string) => {
      // Another account has signed in meanwhile: the next answer is for it.
      if (token.peek() !== authToken) return;
      const { said, ...wish } = wishOfWaiting(next, email);
      openSession(authToken);
      if (!isHere) return;
      goOn(wish);
      if (said) announce(said);
    };
    ownAddress().then(enter, (refused: Failure) => isHere && setFailure(refused));
    return () => {
      isHere = false;
    };
  }, [token.value, tries]);
  return failure && <Problem failure={failure} again={() => setTries(tries + 1)} />;
}
