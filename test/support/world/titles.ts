/** Titles of a portal, in several languages; each with the words of another person for the same wish. */
export const wishes: [title: string, typed: string[]][] = [
  ["Dark mode", ["Please add a dark mode", "DARK MODE!!", "dark theme mode for the evening"]],
  ["Dark mode that follows the system", ["I want a dark theme"]],
  ["Read and edit notes offline", ["Offline reading on trains"]],
  ["Zapier: trigger for “task moved to another list”", ["Please add Zapier"]],
  ["Dark colours for charts and diagrams", ["charts with dark colours"]],
  ["Export posts to CSV", ["csv export", "Export all posts as a CSV file"]],
  ["Import posts from a CSV file", ["import from csv"]],
  ["Keyboard shortcuts for voting", ["shortcuts on the keyboard"]],
  ["Single sign-on with SAML", ["SAML single sign on", "sign-on by saml"]],
  ["Merge duplicate posts", ["merge duplicates: posts", "duplicate posts"]],
  ["Two-factor authentication", ["two factor authentication for admins"]],
  ["Größere Schrift in der Übersicht", ["schrift grösser: größere Schrift", "GROSSERE SCHRIFT"]],
  ["Kommentare bearbeiten können", ["Kommentare nachträglich bearbeiten"]],
  ["Mode sombre pour l’éditeur", ["mode sombre", "MODE SOMBRE EDITEUR"]],
  ["Traducción al español", ["traduccion al espanol"]],
  ["Modo escuro no celular", ["modo escuro"]],
  ["Тёмная тема для приложения", ["темная тема", "ТЁМНАЯ ТЕМА"]],
  ["Σκοτεινό θέμα για την εφαρμογή", ["ΣΚΟΤΕΙΝΌ ΘΈΜΑ"]],
  ["Giao diện tối cho ứng dụng", ["giao dien toi"]],
  ["Karanlık mod İstanbul saati", ["KARANLIK MOD"]],
  ["支持暗黑模式", ["希望支持暗黑模式", "暗黑模式"]],
  ["ダークモードを追加してほしい", ["ダークモード", "ﾀﾞｰｸﾓｰﾄﾞ追加"]],
  ["コメントの検索", ["コメントを検索したい"]],
  ["다크 모드 지원", ["다크 모드"]],
  ["โหมดมืดสำหรับแอป", ["โหมดมืด"]],
  ["الوضع الداكن للتطبيق", ["الوَضع الدَّاكن"]],
  ["מצב כהה לאפליקציה", ["מצב כהה"]],
  ["एप्लिकेशन के लिए डार्क मोड", ["डार्क मोड"]],
];

/** Texts that share nothing with any of them, or one common word. */
export const strangers = [
  "Quarterly invoices for our accounting department",
  "posts about gardening in the spring, with many other words",
  "👍👍👍",
  "完全不同的问题",
];
