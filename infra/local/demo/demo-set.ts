// The demo set: a product (notes and tasks for teams, called Tidemark) and what its users would like to see. Moments are
// days since the site was set up; the demo ends on day 63.

/** The day on which the demo set is loaded. */
export const LAST_DAY = 63;

/** The password of every account of the demo set. */
export const DEMO_PASSWORD = "tides come and go";

const at = (name: string): string => `${name}@demo.example`;

/** Somebody with an account. */
export type DemoPerson = {
  email: string;
  name: string;
  role: "owner" | "moderator" | "member" | "suspended";
  day: number;
};

/** Who owns the site. */
export const owner: DemoPerson = { email: at("owner"), name: "Olivia Brandt", role: "owner", day: 0 };

/** Who keeps order. */
export const moderator: DemoPerson = { email: at("moderator"), name: "Mateo Quispe", role: "moderator", day: 0.2 };

/** The member that tours and tests sign in as; the account is made first of all. */
export const member: DemoPerson = { email: at("member"), name: "Mia Lindqvist", role: "member", day: 0 };

/** Who went too far; the account is made last of all. */
export const suspended: DemoPerson = { email: at("suspended"), name: "Rex Holloway", role: "suspended", day: 20 };

/** The accounts to sign in as, one of each role. */
export const accounts: DemoPerson[] = [owner, moderator, member, suspended];

/** Who writes, beside the member and the moderator. */
export const writers: Record<string, DemoPerson> = Object.fromEntries(
  [
    ["jonas", "Jonas Weiß"],
    ["priya", "Priya Raghavan"],
    ["tomasz", "Tomasz Żurek"],
    ["amina", "Amina Diallo"],
    ["kenji", "高橋 健二"],
    ["sofia", "Sofía Marín"],
    ["liam", "Liam O'Connor"],
    ["noor", "Noor van Dijk"],
  ].map(([key = "", name = ""], index) => [key, { email: at(key), name, role: "member", day: 0.5 + index * 0.4 }]),
);

const FIRST_NAMES =
  "Aiko,Ben,Chiara,Dmitri,Elif,Farid,Greta,Hugo,Ingrid,João,Karim,Lena,Marek,Nia,Oskar,Paula,Quentin,Rosa,Samir,Tilda";
const LAST_NAMES = "Andersson,Baptiste,Costa,Demir,Eriksen,Fischer";

/** Who only votes: everybody else. */
export const crowd: DemoPerson[] = LAST_NAMES.split(",").flatMap((last, row) =>
  FIRST_NAMES.split(",").map((first, column): DemoPerson => {
    const number = row * 20 + column;
    return { email: at(`voter${number + 1}`), name: `${first} ${last}`, role: "member", day: 1 + number * 0.03 };
  }),
);

/** A board, the first of which comes with the setup. */
export const boards = [
  { url: "feedback", name: "Feedback", color: "3b82f6", day: 0 },
  { url: "web-app", name: "Web app", color: "0ea5e9", day: 0.1 },
  { url: "iphone-and-ipad", name: "iPhone and iPad", color: "64748b", day: 0.6 },
  { url: "android", name: "Android", color: "22c55e", day: 1.2 },
  { url: "editor", name: "Editor", color: "f59e0b", day: 2.5 },
  { url: "search", name: "Search", color: "8b5cf6", day: 3.1 },
  { url: "sharing", name: "Sharing and permissions", color: "ec4899", day: 5.8 },
  { url: "integrations", name: "Integrations", color: "14b8a6", day: 8.3 },
  { url: "api", name: "API and webhooks", color: "334155", day: 12.7 },
  { url: "import-and-export", name: "Import and export", color: "a16207", day: 17.4 },
  { url: "desktop", name: "Desktop apps", color: "dc2626", day: 23.9 },
  { url: "billing", name: "Billing", color: "65a30d", day: 30.5 },
];

/** The roadmaps, in their order. */
export const roadmaps = [
  { url: "under-review", name: "Under review", color: "94a3b8", display: true, day: 0.3 },
  { url: "fuer-spaeter", name: "Für später", color: "a78bfa", display: true, day: 0.31 },
  { url: "planned", name: "Planned 🚀", color: "3b82f6", display: true, day: 0.32 },
  { url: "q1-q2", name: "Q1/Q2", color: "0d9488", display: true, day: 4.2 },
  { url: "internal-security", name: "Internal: security", color: "991b1b", display: false, day: 6.6 },
  { url: "50-percent-there", name: "50% there", color: "f97316", display: true, day: 9.9 },
  { url: "web-and-mobile", name: "Web + mobile", color: "16a34a", display: true, day: 15.5 },
];

/** A post; `author` is a key of the writers, `member` or `moderator`. */
export type DemoPost = {
  /** Stays when the title is changed. */
  key: string;
  title: string;
  board: string;
  roadmap?: string;
  author: string;
  day: number;
  votes: number;
  /** Whether the member votes too, last of all. */
  memberVotes?: true;
  content?: string;
};

const inWeeksOneToThree: DemoPost[] = [
  {
    key: "dark-mode",
    title: "Dark mode that follows the system",
    board: "web-app",
    roadmap: "50-percent-there",
    author: "priya",
    day: 2.2,
    votes: 117,
    memberVotes: true,
    content: `I review notes late in the evening and the white page is the brightest thing in the room.

What I would love:

- **three settings**: light, dark, *like my system*
- switches at once when the system does, without a reload
- images and embeds are left alone, only the page turns dark

Extensions that invert the page turn every screenshot into a negative, so this really has to come from you.`,
  },
  {
    key: "offline",
    title: "Read and edit notes offline",
    board: "iphone-and-ipad",
    roadmap: "web-and-mobile",
    author: "tomasz",
    day: 3.4,
    votes: 35,
    memberVotes: true,
    content: `I am on trains a lot. Between Katowice and Kraków there is no network for about 25 minutes, and the app shows a spinner instead of the notes that it had on the screen a minute ago.

## What would be enough for a first version

1. The last 50 notes I opened can be *read* without a network.
2. What I type meanwhile is kept and sent later.
3. If somebody else changed the same paragraph, show me both and let me choose.

I do **not** need attachments offline.`,
  },
  {
    key: "quick-capture",
    title: "Global shortcut to capture a thought",
    board: "feedback",
    roadmap: "planned",
    author: "jonas",
    day: 3.9,
    votes: 23,
    content: `A shortcut (say \`Ctrl+Shift+Space\`) that opens a tiny window on top of whatever I am doing, takes one line or ten, and files it under *Inbox* when I press Enter.

The whole point is that it must not take more than a second. If it has to load the app first I will go on using a text file.`,
  },
  {
    key: "umlauts",
    title: "Suche findet „Größe“ nicht, wenn ich „Groesse“ tippe",
    board: "search",
    roadmap: "fuer-spaeter",
    author: "jonas",
    day: 5.1,
    votes: 10,
    content: `Auf der englischen Tastatur im Büro tippe ich Umlaute als *ae*, *oe*, *ue*. Die Suche kennt das leider nicht:

| Ich tippe | Ich erwarte | Ich bekomme |
|---|---|---|
| Groesse | Größe, Groesse | nur Groesse |
| Muenchen | München | nichts |

Umgekehrt (ß/ss) scheint es zu gehen.`,
  },
  {
    key: "two-factor",
    title: "Two-factor sign-in with an authenticator app",
    board: "sharing",
    roadmap: "internal-security",
    author: "noor",
    day: 6.7,
    votes: 18,
    content: `Our IT department asks for a second factor on everything that holds customer names, and our notes do.

TOTP (the six digits) would do. Recovery codes please, and a way for a workspace owner to see **who has switched it on**.`,
  },
  {
    key: "paste-table",
    title: "Pasting a table from a spreadsheet gives one long line",
    board: "editor",
    roadmap: "q1-q2",
    author: "sofia",
    day: 8.3,
    votes: 14,
    content: `### Steps

1. Copy a range of 3 x 4 cells in a spreadsheet.
2. Paste into a note.

### What happens

All cells arrive in one paragraph, separated by tabs.

### What I expected

A table. Pasting the same range into an e-mail works, so the clipboard does hold one.`,
  },
  {
    key: "csv-export",
    title: "Export all tasks as CSV",
    board: "feedback",
    roadmap: "under-review",
    author: "amina",
    day: 9.5,
    votes: 10,
    content: `Once a quarter I report to our sponsors what was done. At the moment I copy 200 tasks by hand.

Columns I need: title, list, assignee, created, completed, tags. **UTF-8 with a header line**, dates as \`2026-03-31\`.`,
  },
  {
    key: "android-widget",
    title: "Home screen widget with today's tasks",
    board: "android",
    roadmap: "web-and-mobile",
    author: "kenji",
    day: 10.6,
    votes: 8,
    content: `ホーム画面で今日のタスクを見たいです。

(In English: a 4x2 widget with today's tasks and a box to tick. Tapping the title opens the note, tapping the box must *not* open the app.)`,
  },
  {
    key: "mention-group",
    title: "Mention a whole team with @team",
    board: "sharing",
    roadmap: "planned",
    author: "liam",
    day: 11.8,
    votes: 15,
    memberVotes: true,
    content: `We are eleven people in design. When something concerns all of us I type eleven names, and I always forget Siobhán, who has noticed by now.

A group that an admin sets up once, and \`@design\` notifies everybody in it, except those who muted the note.`,
  },
  {
    key: "webhook-retries",
    title: "Webhooks: tell us when you give up",
    board: "api",
    roadmap: "q1-q2",
    author: "tomasz",
    day: 14.1,
    votes: 9,
    content: `Our receiver was down for two hours on Sunday. Your retries stopped after 30 minutes and we only found out on Tuesday, because a customer asked.

Please do **one** of these:

- keep failed deliveries for 3 days with a button *send again*
- or send a mail to the owner of the webhook after the last attempt

~~~json
{ "event": "task.completed", "delivery": "01J8…", "attempt": 6, "gaveUp": true }
~~~`,
  },
  {
    key: "font-size",
    title: "Let me make the text larger without zooming everything",
    board: "web-app",
    author: "amina",
    day: 15.3,
    votes: 12,
    content: `I see badly with my left eye. Browser zoom makes the text readable, but at 150 % the sidebar eats a third of the screen and the buttons wrap.

A setting for the **text of the note only** (say 14 to 24 points) would help a lot of people, not only me.`,
  },
  {
    key: "undo-delete",
    title: "Undo after deleting a note",
    board: "editor",
    roadmap: "50-percent-there",
    author: "sofia",
    day: 16.9,
    votes: 20,
    content: `The delete button is right beside *share*. Twice this month I hit the wrong one, and the "Are you sure?" has become something that I click without reading.

> A bar with **Undo** for ten seconds, instead of a question before, would have saved me both times.

(The trash is fine, but it takes four clicks to find and the note comes back at the end of the list.)`,
  },
  {
    key: "calendar",
    title: "Show tasks with a date in Google Calendar",
    board: "integrations",
    roadmap: "planned",
    author: "liam",
    day: 18.2,
    votes: 25,
    content: `A read-only calendar feed (an \`.ics\` address) per list would be plenty:

- a task with a date is an all-day event
- a task with a time is an event of 30 minutes
- completed ones disappear

No two-way sync needed. I would rather have the feed next month than the sync next year.`,
  },
];

const inWeeksFourToSix: DemoPost[] = [
  {
    key: "notion-import",
    title: "Import from Notion keeps the headings but loses the toggles",
    board: "import-and-export",
    roadmap: "under-review",
    author: "noor",
    day: 20.4,
    votes: 11,
    content: `We moved 1,300 pages last week. First of all: impressive, it took eight minutes.

What got lost:

- toggles: the title stays, **what was inside is gone** (not hidden, gone)
- databases became plain lists without their properties
- links between pages point to the old site

The first one is the one that hurts. If the content just came out below the title we could live with it.`,
  },
  {
    key: "ipad-pencil",
    title: "Handwriting with the pencil in a note",
    board: "iphone-and-ipad",
    roadmap: "fuer-spaeter",
    author: "kenji",
    day: 21.7,
    votes: 10,
    content: `会議中は手書きのほうが速いので、ノートの中に手書きの領域がほしいです。図と矢印だけで十分で、文字認識はいりません。

*(A drawing area inside a note. Shapes and arrows are enough, no text recognition.)*`,
  },
  {
    key: "search-operators",
    title: "Search: exclude words and search in one list",
    board: "search",
    roadmap: "q1-q2",
    author: "tomasz",
    day: 23.1,
    votes: 12,
    content: `Searching for *release* gives 340 notes, most of them from the archive. Operators as mail clients have them would do:

- \`-draft\` leaves out
- \`in:archive\`, \`in:"Team notes"\`
- \`by:mia\`
- \`"exact words"\`

A button per filter is nicer to look at, but I type faster than I click.`,
  },
  {
    key: "guest-comments",
    title: "Guests should be able to comment without an account",
    board: "sharing",
    roadmap: "under-review",
    author: "amina",
    day: 24.6,
    votes: 17,
    memberVotes: true,
    content: `We share drafts with volunteers. Half of them give up at the sign-up form, the other half send me their comments by SMS.

A link with *may comment*, a name that they type themselves, and a mark that says **guest** beside it. The owner of the note can switch it off and delete what came in.`,
  },
  {
    key: "linux-package",
    title: "A .deb or Flatpak for Linux",
    board: "desktop",
    roadmap: "under-review",
    author: "jonas",
    day: 25.8,
    votes: 9,
    content: `The AppImage works, but:

1. it does not update itself
2. no entry in the menu
3. links like \`tidemark://note/…\` open the browser

A Flatpak would solve all three and reach every distribution.`,
  },
  {
    key: "keyboard-nav",
    title: "Whole app usable from the keyboard",
    board: "web-app",
    roadmap: "50-percent-there",
    author: "amina",
    day: 27.2,
    votes: 14,
    content: `I use a keyboard only. Where I get stuck today:

| Place | Problem |
|---|---|
| List menu | opens with Enter, but the arrow keys scroll the page behind it |
| Date picker | no way to choose a day |
| Comment box | Tab is swallowed, I cannot get out again |

The third is a trap in the sense of WCAG 2.1.2. The rest of the editor is very good, thank you for that.`,
  },
  {
    key: "spell-check",
    title: "Desktop: spell check in two languages at once",
    board: "desktop",
    roadmap: "fuer-spaeter",
    author: "jonas",
    day: 29.4,
    votes: 10,
    content: `My notes are half German, half English, often within one sentence. Whichever language I choose, the other half is underlined in red, so I have switched it off and now *nothing* is checked.

Two languages active at the same time, a word is fine if **either** knows it.`,
  },
  {
    key: "invoice-address",
    title: "Put our purchase order number on the invoice",
    board: "billing",
    roadmap: "50-percent-there",
    author: "noor",
    day: 31.3,
    votes: 9,
    content: `Accounting sends every invoice back that has no purchase order number on it. One free line that I can fill in under *Billing* would be enough; it changes once a year.`,
  },
  {
    key: "slack",
    title: "Turn a Slack message into a task",
    board: "integrations",
    roadmap: "q1-q2",
    author: "liam",
    day: 32.4,
    votes: 16,
    content: `From the "…" menu of a message: *Add to Tidemark*, choose a list, done. The task links back to the message.

Bonus: when the task is completed, a ✅ appears on the message. That would end all our "did anybody look at this?" threads.`,
  },
  {
    key: "rate-limit-headers",
    title: "API: headers that say how many calls are left",
    board: "api",
    roadmap: "planned",
    author: "priya",
    day: 33.9,
    votes: 8,
    content: `We get a 429 about twice a day and have to guess how long to wait. Please send with every answer:

~~~http
RateLimit-Limit: 600
RateLimit-Remaining: 17
RateLimit-Reset: 42
~~~

and a \`Retry-After\` with the 429 itself.`,
  },
  {
    key: "code-blocks",
    title: "Syntax colours in code blocks",
    board: "editor",
    roadmap: "planned",
    author: "priya",
    day: 35.5,
    votes: 13,
    content: `Our runbooks are full of code. Colours for the usual suspects would make them readable:

~~~ts
export const retry = async <T>(work: () => Promise<T>, times = 3): Promise<T> =>
  work().catch((error) => (times > 1 ? retry(work, times - 1) : Promise.reject(error)));
~~~

Please do not guess the language, let us write it behind the fence: guessing turns YAML into something else every second time.`,
  },
  {
    key: "battery",
    title: "Android app drains the battery in the background",
    board: "android",
    roadmap: "web-and-mobile",
    author: "sofia",
    day: 36.2,
    votes: 11,
    content: `Pixel 8, Android 16, app 5.2.1. The system says **14 % in 24 hours, of that 13 % in the background**. I had the app open for six minutes.

- 5.1.9 was fine (about 2 %)
- "Sync over Wi-Fi only" makes no difference
- after *force stop* it is quiet until the next start

Happy to send logs, tell me which.`,
  },
  {
    key: "templates",
    title: "Templates for recurring notes",
    board: "feedback",
    roadmap: "q1-q2",
    author: "member",
    day: 38.1,
    votes: 19,
    content: `Every Monday I copy last week's meeting note, empty it, and change the date. Every third Monday I forget to empty it.

A template with placeholders (\`{{date}}\`, \`{{week}}\`, \`{{me}}\`) and a button *New from template* would be lovely. Even better: "every Monday at 9" by itself.`,
  },
  {
    key: "duplicate-notifications",
    title: "I get every notification twice",
    board: "iphone-and-ipad",
    author: "liam",
    day: 39.6,
    votes: 6,
    content: `Since the last update each mention buzzes twice: once as a push, and about 20 seconds later again as a "reminder" of the same mention.

Phone **and** watch, so four buzzes in all. I have reinstalled the app.`,
  },
  {
    key: "markdown-export",
    title: "Export as plain Markdown files, with folders",
    board: "import-and-export",
    roadmap: "50-percent-there",
    author: "tomasz",
    day: 41,
    votes: 15,
    memberVotes: true,
    content: `The JSON export is complete, but I cannot read it. I would like a zip with one \`.md\` file a note, in folders as in the sidebar, attachments beside them, and links that work.

It is less about leaving than about sleeping well: **notes that I can open in ten years with any editor.**`,
  },
];

const inWeeksSevenToNine: DemoPost[] = [
  {
    key: "read-only-friday",
    title: "Freeze a workspace during the summer break",
    board: "sharing",
    author: "moderator",
    day: 43.2,
    votes: 4,
    content: `We close for three weeks in July. A switch that makes everything read-only for everybody, with a banner ("back on 4 August"), would keep things from piling up in places where nobody looks.`,
  },
  {
    key: "annual-plan",
    title: "Pay yearly by bank transfer",
    board: "billing",
    roadmap: "fuer-spaeter",
    author: "amina",
    day: 44.8,
    votes: 7,
    content: `We are a small charity. Our bank gives us no credit card, and the treasurer's private one is not an option (we tried, the auditor did not like it).

A yearly invoice, payable by transfer within 30 days, please.`,
  },
  {
    key: "search-in-pdf",
    title: "Search inside attached PDFs",
    board: "search",
    roadmap: "under-review",
    author: "noor",
    day: 46.3,
    votes: 16,
    content: `Most of what we keep are contracts as PDF. The search finds the *name* of the file, which is usually \`scan_0047.pdf\`.

Text PDFs would already help. Scans with text recognition could be something for a paid plan.`,
  },
  {
    key: "desktop-tabs",
    title: "Tabs in the desktop app",
    board: "desktop",
    roadmap: "planned",
    author: "jonas",
    day: 47.7,
    votes: 13,
    content: `I compare notes all the time. Today I open the second one in the browser, which works but feels silly.

- \`Ctrl+T\` new tab, \`Ctrl+W\` close, \`Ctrl+Tab\` next
- dragging a tab out makes a window
- **tabs come back after a restart**`,
  },
  {
    key: "emoji-reactions",
    title: "React to a comment with an emoji 👍",
    board: "feedback",
    roadmap: "web-and-mobile",
    author: "sofia",
    day: 49.2,
    votes: 18,
    content: `Half of all comments in our workspace are "ok", "thanks" and "+1", and each of them sends a mail to nine people.

👍 ❤️ 🎉 👀 and *no mail for a reaction*. That's it.`,
  },
  {
    key: "swipe-complete",
    title: "Swipe to complete a task is too sensitive",
    board: "android",
    author: "kenji",
    day: 50.9,
    votes: 5,
    content: `スクロール中に誤ってタスクを完了してしまいます。

It takes about 40 px of sideways movement. 100 px and a short vibration before it counts would be better.`,
  },
  {
    key: "api-pagination",
    title: "GET /notes skips notes while others write",
    board: "api",
    roadmap: "under-review",
    author: "priya",
    day: 52.4,
    votes: 9,
    content: `Paging by \`page=2&per_page=100\` misses notes when somebody creates or deletes one between two calls. Our nightly sync loses two or three a week that way.

A cursor would fix it:

~~~
GET /notes?first=100&after=eyJpZCI6…
~~~

Keep \`page\` for those who like it, we would switch the same day.`,
  },
  {
    key: "print",
    title: "Printing cuts off wide tables",
    board: "web-app",
    author: "amina",
    day: 54.6,
    votes: 3,
    content: `A table with seven columns loses the last two on paper (A4, portrait). Landscape helps for eight columns, not for nine.

Please wrap or shrink; losing them without a word is the worst of the three.`,
  },
  {
    key: "zapier",
    title: "Zapier: trigger for “task moved to another list”",
    board: "integrations",
    author: "liam",
    day: 56.1,
    votes: 8,
    content: `There are triggers for *created* and *completed*. Our process lives on moving cards from **Doing** to **Review**, and that one is missing.`,
  },
  {
    key: "slash-menu",
    title: "Slash menu: remember what I used last",
    board: "editor",
    author: "member",
    day: 58.3,
    votes: 2,
    content: `I insert a table ten times a day and a "callout" never, yet the menu opens with the callout on top. Last used first, please.`,
  },
  {
    key: "evernote-tags",
    title: "Evernote import: tags with a slash become two tags",
    board: "import-and-export",
    author: "noor",
    day: 60.5,
    votes: 1,
    content: `\`clients/north\` arrives as \`clients\` and \`north\`. With 80 clients that makes a rather useless tag *north*.`,
  },
  {
    key: "thank-you",
    title: "Just wanted to say thanks",
    board: "feedback",
    author: "sofia",
    day: 62.4,
    votes: 0,
  },
];

/** All posts, oldest first. */
export const posts: DemoPost[] = [...inWeeksOneToThree, ...inWeeksFourToSix, ...inWeeksSevenToNine];
