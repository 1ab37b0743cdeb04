package suspect

// A form is a regular expression over folded text, see pattern.
type form struct{ rule, hints, form, unless, needs string }

const (
	// never stands before what somebody forbids.
	never = `\bnever |\bnot |n't |\bcannot |\bno |\bwithout |\bnie |\bnicht |\bkein|\bjamais |\bnunca `

	// sentence is a character of one: a dot before a letter is part of a name.
	sentence = `(?:[^.\n]|\.[\w/.])`

	run    = `(?:run|execute|call|invoke|fetch|download|curl|open|send|post|visit|load|eval|start|type|paste)`
	runsDE = `(?:fuhr\w*|start\w*|ruf\w*|send\w*|schick\w*|lad\w*|offn\w*)`
	runsFR = `(?:execute[zr]?|lance[zr]?|appelle[zr]?|appeler|envoie|envoyez|envoyer|telecharge[zr]?|ouvre[zr]?|ouvrir)`
	runsES = `(?:ejecut\w+|lanz\w+|llam\w+|envi\w+|descarg\w+|abr\w+|corre\w*)`

	// weak is what code and tools have, too: rules of a linter, messages of a queue.
	strong = `(?:instructions?|prompts?|directives?|directions|guidelines?|guard ?rails|programming|system messages?)`
	weak   = `(?:rules|orders|commands?|training|restrictions|safeguards|constraints|polic(?:y|ies)|context|messages?|limits|limitations)`

	// asked is where somebody wants something sent.
	asked = `(?:https?://|ftp://|[\w.+-]+@[\w-]+\.[a-z]{2,}|\bwebhook|pastebin|\bgist\b|(?:this|the following|external|remote|my|our|mon|mein\w*|diese[mnr]?|mi|este|ce) (?:url|server|serveur|servidor|address|adresse|direccion|endpoint|host|site)|discord|telegram)`

	// private is what nobody sends away.
	private = `(?:~/\.|\bid_(?:rsa|ed25519|ecdsa)|/etc/(?:passwd|shadow)|\.env\b|\.netrc|\.git-credentials|` +
		`environment variables|\benv vars?\b|process\.env|system prompt|(?:the|this|your|whole|entire|full|our) (?:conversation|chat|context|session)|(?:chat|conversation|shell|command) (?:history|log)|` +
		`(?:ssh|private|signing|gpg) keys?\b|(?:all|any|user'?s?|stored|saved|local|cached) (?:[\w-]+ )?(?:credentials|secrets|passwords|tokens|api keys|keys)|` +
		`umgebungsvariablen|zugangsdaten|passworter|(?:ssh-?|private[nr]? )schlussel|systemprompt|unterhaltung|gesprach|konversation|chatverlauf|` +
		`variables d'environnement|identifiants|mots de passe|cles? (?:ssh|prive\w*|api)|(?:la|cette|toute la) conversation|prompt systeme|` +
		`variables de entorno|credenciales|contrasenas|claves? (?:ssh|privad\w+|api)|(?:la|esta|toda la) conversacion|prompt del sistema|historial)`

	sends = `\b(?:send|post|upload|(?:e-?)?mail|forward|exfiltrate|transmit|leak|submit|report|deliver|append|attach|embed|publish|copy|dump|push|paste|` +
		`sende|schicke?|ubermittle|lade|poste|kopiere|leite|senden|schicken|envoie|envoyez|envoyer|poste[zr]?|transfere[zr]?|transmet\w*|televerse[zr]?|publie[zr]?|copie[zr]?|` +
		`envia|envie|enviar|manda|mande|sube|suba|publica|publique|transmite|reenvia|copia)\b`

	// clause is where an order begins: what people report has a subject before the verb.
	clause = `(?:^|[.:;!?,(] |\band |\bthen |^[ #>*-]+)`

	// safeguard is what keeps a person in the loop, or a secret in the house.
	safeguard = `(?:(?:commit )?signing|gpg-?sign\w*|(?:pre-commit|pre-push|git|commit) hooks?|hookspath|secret[ -]scan\w*|(?:security|code) (?:review|scan|check|workflow)\w*|branch protection|permission (?:prompt|check)s?|approvals?|sandbox\w*|` +
		`(?:tls|ssl|certificate|host key) (?:verification|checks?|checking)|two-factor|2fa|audit log\w*|required (?:reviews?|checks?)|codeowners|\.github/workflows/[\w.-]*(?:secur|scan|codeql|audit)[\w.-]*)`

	// bypass is a setting by which a safeguard is off.
	bypass = `(?:bypasspermissions|dangerously-?skip-?permissions|node_tls_reject_unauthorized ?= ?"?0|http\.sslverify(?: |=)(?:false|0)|stricthostkeychecking(?: |=)no|git_ssl_no_verify|pythonhttpsverify ?= ?0|"\*\*?" to \.\w*ignore|\*\* to \.gitleaksignore|branches/\w+/protection)`

	// keys are files and variables that hold secrets, beside private.
	keys = `(?:~/\.(?:ssh|aws|gnupg|kube|docker|netrc|config/gh|\w+_history)\b|\.aws/credentials|\.kube/config|\b(?:zsh|bash)_history|[\w./-]+\.(?:key|pem|p12|keystore)\b|\.env\b|\.netrc|\b(?:gh|github|gitlab|npm|aws|api|deploy|access)_(?:token|secret\w*|key)\b|\b(?:aws|api|private|signing|deploy) keys?\b|\bcredentials?\b|\bpasswords?\b)`
)

var forms = []form{
	// Take back what the agent was told.
	{Instruction, "instruc prompt direct guide guard program system",
		`\b(?:ignore|disregard|forget|override|overrule|bypass|neglect|discard|set aside|put aside|pay no (?:attention|heed) to|(?:do not|don't|stop|quit|no longer) (?:follow|obey|heed|listen to)(?:ing)?|disobey)(?:ing)? (?:about )?` +
			`(?:(?:all|any|every|each|of|the|your|my|his|those|these|this|other|everything|previous|previously|prior|earlier|above|preceding|foregoing|existing|former|initial|original|current|system|safety|security|developer|user|given|said|and|or|whatever|in|before|old|built-in|default|hidden|secret|operator)[ ,]+){0,8}` +
			strong + `\b(?: (?:above|before|so far|you (?:were|are|have|had|got|received)|given|in (?:your|the) (?:system )?(?:prompt|context)))?(?: (?:in|of|from|on) (?:the |this |our |that |its |an? )?(?:[\w.-]+ )?(?:readme|wiki|docs?|documentation|guide|page|ticket|section|manual|tutorial|article|runbook|changelog|issue))?`,
		``, `\b(?:all|any|every|your|previous|previously|prior|earlier|above|preceding|foregoing|existing|former|initial|original|system|safety|developer|before|given|so far|built-in|you)\b[^.]*(?:instructions?|prompts?|directives?|directions|guidelines?|guard ?rails|programming|messages?|above|before|so far|given|were|have|had|got|received|context)$`},
	{Instruction, "your you", `\b(?:ignore|disregard|forget|override|overrule|bypass|discard|break|violate|do not (?:follow|obey)|don't (?:follow|obey)|disobey) (?:(?:all|any|every|of|the|previous|prior|earlier|above|safety|security|usual|normal|other) ){0,4}(?:your (?:[a-z-]+ ){0,3}` + weak + `|` + weak + ` (?:that )?you (?:were|are|have|had) (?:been )?(?:given|told|taught))\b`, never, ``},
	{Instruction, "above before told said", `\b(?:ignore|disregard|forget) (?:everything|anything|all(?: of)?(?: that)?|whatever)(?: (?:that|which|was|is|has|been|said|written|stated|you|were|have|been|told|read|comes|came|stands)){0,6} (?:above|before(?: this)?|told|previously|so far|until now|up to (?:now|here|this point))\b`, never, ``},
	{Instruction, "now mode", `\byou are (?:now|no longer) (?:an? |the |in |acting as |operating as |bound (?:by|to) )?(?:(?:[a-z-]+ ){0,3}(?:assistant|agent|ai|bot|chatbot|persona|jailbroken|unrestricted|unfiltered|dan)\b|(?:developer|debug|god|admin|root|unrestricted|jailbreak|maintenance|dan) mode)`, ``, ``},
	{Instruction, "pretend act roleplay respond", `\b(?:pretend|act|behave|roleplay|respond|answer) (?:to be |as if (?:you|there) (?:are|were|had) |as |like )(?:an? |the )?(?:[a-z-]+ ){0,2}(?:unrestricted|unfiltered|uncensored|jailbroken|no (?:rules|restrictions|limits|guidelines)|without (?:any )?(?:rules|restrictions|limits|guidelines|filters))`, ``, ``},
	{Instruction, "from now", `\bfrom (?:now|here|this point) on(?:wards?)?,? (?:you (?:will|must|shall|should|only|always) (?:only |always |never )?)?(?:answer|respond|reply|obey|speak|pretend|act|refuse|comply)\b`, ``, ``},
	{Instruction, "override system", `\bsystem (?:override|overwrite)\b[: ]|\b(?:new|updated|revised|real|actual|true|hidden) (?:system )?(?:instructions?|directives?|prompt|orders) (?:for|to) (?:the |all |any |you|this )?(?:ai|assistant|agent|model|llm|claude|copilot|chatbot|you)\b`, ``, ``},
	{Instruction, "anweisung instruktion vorgabe befehl regel richtlinie prompt",
		`\b(?:ignorier\w*|vergiss|vergesst|vergessen sie|missacht\w*|verwirf|verwerf\w*|ubergeh\w*|umgeh\w*|(?:befolg|beacht)\w*|halt\w* (?:dich|sie sich) nicht(?: mehr)? an) (?:(?:alle\w*|samtlich\w*|jeglich\w*|die|den|das|deine\w*|ihre\w*|eure\w*|diese\w*|bisherig\w*|vorherig\w*|vorig\w*|fruher\w*|obig\w*|vorangegangen\w*|vorangehend\w*|bestehend\w*|vorstehend\w*|ursprunglich\w*|vorhergehend\w*|bisher|vorher|gegeben\w*|erhalten\w*|anderen|und|von|oben) ){1,6}(?:anweisung\w*|instruktion\w*|vorgaben?|befehle?|regeln|richtlinien|system-?prompts?|prompts?|anordnung\w*)\b(?: (?:nicht|oben|von oben|bis hier\w*|und \w+))?`,
		``, `(?:ignorier|vergiss|vergess|missacht|verwirf|verwerf|ubergeh|umgeh|halt).*(?:deine|ihre|eure|bisher|vorher|vorig|fruher|obig|vorangeg|vorangeh|vorsteh|ursprung|system|alle\w* (?:anweisung|instruktion)|oben)|(?:befolg|beacht).*nicht`},
	{Instruction, "alles", `\b(?:ignorier\w*|vergiss|vergesst|vergessen sie) alles,? (?:was )?(?:\w+ ){0,4}(?:oben|bisher|vorher|zuvor|gesagt|davor|bis hierhin)\b`, ``, ``},
	{Instruction, "instruction consigne directive regle ordre invite prompt",
		`\b(?:ignor(?:e|ez|er|ons)|oubli(?:e|ez|er)|ne (?:tiens|tenez|tenir) (?:pas|plus|aucun) compte|ne (?:suis|suivez|respecte[sz]?) (?:pas|plus)|fai(?:s|tes) abstraction|neglige[zr]?|outrepasse[zr]?|contourne[zr]?|desobeis\w*) (?:(?:de|des|du|d'|a|toutes?|tous|les?|la|tes|vos|ces|ses|l'ensemble|precedentes?|anterieures?|autres?|et|premieres?|initiales?) ?){0,6}(?:instructions?|consignes?|directives?|regles?|ordres?|prompts?)\b(?: (?:precedentes?|precedents?|anterieur\w*|ci-dessus|initiales?|systeme|recues?|donnees?|d'origine|du systeme|plus haut|qui precedent))*`,
		``, `\b(?:tes|vos|precedent\w*|anterieur\w*|ci-dessus|initiales?|systeme|recues?|d'origine|plus haut|toutes les (?:instructions|consignes))\b`},
	{Instruction, "instruc indicacion orden directri regla norma prompt",
		`\b(?:ignor(?:a|e|ad|en|ar|es)|olvid(?:a|e|ar|en|ad|ate de|ese de)|descart(?:a|e|ar)|no (?:sigas|siga|obedezcas|obedezca|hagas caso|haga caso|tengas en cuenta)|ha(?:z|ga) caso omiso|pas(?:a|e) por alto|desobedece|omit(?:e|a|ir)) (?:(?:de|a|las?|los?|el|todas?|todos|cualquier|tus?|sus?|estas?|esas?|anteriores|previas?|otras|demas|del|y) ){0,6}(?:instruccion(?:es)?|indicaciones|ordenes|directrices|reglas|normas|prompts?)\b(?: (?:anteriores|previas?|previos|de arriba|precedentes|recibidas|originales|del sistema|iniciales|dadas|que \w+ \w+))*`,
		``, `\b(?:tus?|anteriores|previas?|previos|de arriba|precedentes|recibidas|originales|sistema|iniciales|dadas|todas las (?:instrucciones|indicaciones))\b`},
	{Instruction, "void revoked cancel lifted null suspended superseded overrid invalid apply", `\b(?:your (?:previous |prior |earlier |old |other |safety )?|(?:all|any) (?:of )?(?:the |your )?(?:previous|prior|earlier|above|safety) |the (?:previous |prior )?)(?:instructions?|rules|guidelines|directives|restrictions|prompt|orders)(?: above| so far)? (?:(?:are|is|were|have been) (?:hereby |now |all |herewith ){0,2}(?:void|revoked|cancell?ed|lifted|null|suspended|superseded|overrid\w+|invalid)|(?:do not|don't|no longer) apply)\b(?: to you)?`, ``, `\b(?:your|all|any|to you)\b`},
	{Instruction, "aufgehoben ungultig hinfallig gelten", `\b(?:alle|deine|ihre|eure|samtliche) (?:bisherigen |vorherigen |fruheren |obigen |vorigen )?(?:anweisungen|regeln|vorgaben|instruktionen|richtlinien|befehle)(?: oben)? (?:(?:sind|werden|waren) (?:\w+ ){0,2}(?:aufgehoben|ungultig|hinfallig)|gelten (?:\w+ ){0,2}nicht mehr)`, ``, `deine|ihre|eure|bisher|vorher|fruher|obig|vorig|oben`},
	{Instruction, "annule caduc nul valable", `\b(?:instructions|consignes|directives|regles) (?:precedentes|anterieures|ci-dessus|initiales|recues) (?:sont (?:\w+ )?(?:annulees|nulles|caduques)|ne sont plus valables)`, ``, ``},
	{Instruction, "anulad efecto invalid valen aplic", `\b(?:instrucciones|reglas|indicaciones|directrices|normas) (?:anteriores|previas|iniciales|de arriba) (?:quedan|estan|son|ya no) (?:\w+ )?(?:anuladas|sin efecto|invalidas|valen|(?:se )?aplican)`, ``, ``},
	{Instruction, "system prompt systeme sistema hidden initial", `\b(?:reveal|print|repeat|output|show|quote|recite|display|write (?:out|down)|zeige?|nenne?|verrate?|wiederhole?|affiche[zr]?|montre[zr]?|revele[zr]?|repete[zr]?|muestra|revela|repite|imprime) (?:me |us |mir |uns |moi |nous )?(?:your|deinen?|ihren?|ton|votre|tu|su) (?:\w+ ){0,2}(?:system-? ?prompts?|system message|initial (?:instructions|prompt)|hidden instructions|prompt systeme|prompt del sistema)`, ``, ``},
	{Instruction, "user human nutzer utilisateur usuario", `\b(?:disregard|ignore|forget|instead of) (?:what|whatever|everything|anything|all)(?: that)? (?:the|your) (?:user|human|developer|operator) (?:\w+ )?(?:ask|sa[iy]|want|told|tell|request|writ|wrote)\w*|\b(?:ignorier\w*|vergiss|vergesst) (?:alles,? )?,?was (?:der|dein) (?:nutzer|benutzer|anwender)\b|\b(?:ignore[zr]?|oublie[zr]?) (?:tout )?ce que (?:l'|ton |votre )utilisateur|\b(?:ignora|ignore|olvida) (?:todo )?lo que (?:el|tu) usuario`, ``, ``},
	{Instruction, "outrank supersede precedence", `\b(?:outranks?|supersedes?|takes? precedence over|overrules?|overrides?) (?:the |your |all |any )(?:\w+ )?(?:system prompt|instructions|system message|safety \w+|guidelines you)\b`, ``, ``},
	{Instruction, "treat consider regard", `\b(?:treat|consider|regard|handle) (?:this|these|the|what) [^.\n]{0,40}\bas (?:if (?:it|they) (?:came|were|was|come) |coming |written |said |instructions |an order |orders )?(?:from|by|of) (?:the |your )?(?:user|system|developer|operator)\b`, never, ``},
	{Instruction, "no longer", `\byou (?:no longer (?:have|need) to|need not|do not have to|don't have to) (?:follow|obey|respect|heed) (?:your|any|the (?:previous|system|safety)|all) (?:\w+ )?(?:` + strong + `|` + weak + `)`, ``, ``},

	// Want something run.
	{Command, "before", `\bbefore (?:you )?(?:answer|respond|reply|repl|do anything|doing anything|say anything|saying anything)\w*(?: (?:anything|else|to|the|user|me|any|question|questions|with|this|prompt|request))*[,:;]* (?:(?:you|must|please|always|first|silently|immediately|need|to|should|have|then|quietly) ){0,4}` + run + `\b`, ``, ``},
	{Command, "before", `\b` + run + `\b` + sentence + `{1,120}\bbefore (?:you )?(?:answer|respond|reply|do anything|doing anything|say anything|saying anything)(?:ing)?(?:$|[.,;:!)]| (?:anything|to (?:anything|any|the user|me)|the (?:user|question|prompt)|with|any|this|and|or|else)\b)`, never, ``},
	{Command, "answer respon reply turn", `\b` + run + `\b` + sentence + `{1,100}\b(?:before|prior to|ahead of|in|with) (?:each|every|any|your (?:next|first|final)) (?:answer|response|reply|turn)\b|\b(?:before|prior to|ahead of) (?:each|every|any|your (?:next|first|final)) (?:answer|response|reply|turn)[,:]? (?:you (?:must|should) )?(?:first |always )?` + run + `\b|\b(?:answer|respond|reply|continue) only (?:after|once) (?:you (?:have |had )?)?(?:run|execut|call|invok|fetch|download|install|send|open)\w*\b`, never, ``},
	{Command, "antwort", `\b` + runsDE + `\b` + sentence + `{0,60}\bvor (?:jeder|deiner|ihrer) (?:\w+ )?antwort|\bvor (?:jeder|deiner|ihrer) (?:\w+ )?antwort (?:\w+ ){0,2}` + runsDE + `\b|\bantworte\w* erst,? (?:nachdem|wenn|sobald) (?:du|sie)\b` + sentence + `{1,80}(?:ausgefuhrt|gestartet|aufgerufen|gesendet|geladen)`, ``, ``},
	{Command, "repon respuesta respond", `\b(?:` + runsFR + `\b` + sentence + `{1,100}\bavant (?:chaque|toute|ta|votre) (?:\w+ )?reponse|avant (?:chaque|toute|ta|votre) (?:\w+ )?reponse,? ` + runsFR + `|` + runsES + `\b` + sentence + `{1,100}\bantes de (?:cada|toda|tu|su) (?:\w+ )?respuesta|antes de (?:cada|toda|tu|su) (?:\w+ )?respuesta,? ` + runsES + `|(?:ne )?repond(?:s|ez) (?:qu'apres|seulement apres) avoir|responde (?:solo|solamente) despues de (?:ejecutar|lanzar|llamar|enviar))\b`, ``, ``},
	{Command, "reading this first", `\bif you(?: are|'re| can)? (?:reading|read|see|seeing) this,? ` + run + `\b|\byour (?:very )?(?:first|next|only) (?:action|step|task|tool call|call|move) (?:must|should|is|has to|will)(?: be)?:? (?:to )?` + run + `\b`, ``, ``},
	{Command, "this load read", `\b(?:when(?:ever)?|as soon as|once|after) you(?:'ve| have)? (?:load|read|open|see|recall|receive)(?:ed|en)? (?:this|these) (?:file|item|note|message|text|memory|line|page|document)s?[, ]+` + run + `\b`, ``, ``},
	{Command, "this", `\b(?:when(?:ever)?|if|once|as soon as|after) (?:you(?:'ve| have)?|an? (?:\w+ )?(?:agent|assistant|ai|model)) (?:read|see|seen|load|receive|process|recall|retrieve|encounter|summari[sz]e)\w* this[^.,\n]{0,25}[, ]+(?:(?:you|must|please|always|first|silently|immediately|should|then) ){0,4}(?:` + run + `|reply|respond|output|delete|stop|ignore|forget|append|write|add|install|push|commit|remove)\b`, ``, ``},
	{Command, "without secretly", `\b(?:run|execute|install|send|delete|push|commit|merge|add|insert|change|disable|upload|approve)\b` + sentence + `{0,80}\bwithout (?:asking|telling|informing|notifying|alerting|mentioning it to|the (?:knowledge|consent) of) (?:the )?(?:user|human|developer|anyone|anybody|operator)\b`, never + `|\bmay |\bcould |\bcan |\bwould |\bmight |\bwill |\bus from |\bbug|\bit `, ``},
	{Command, "bevor ehe", `\b(?:bevor|ehe) (?:du|sie|ihr) (?:\w+ ){0,3}(?:antwort\w*|etwas (?:anderes )?(?:tust|tun|sagst|sagen))[^.\n]{0,6} (?:\w+ ){0,2}` + runsDE + `\b|\b` + runsDE + `\b` + sentence + `{1,100}\b(?:bevor|ehe) (?:du|sie|ihr) (?:\w+ ){0,3}(?:antwort\w*|etwas (?:anderes )?(?:tust|tun))`, ``, ``},
	{Command, "avant", `\bavant (?:de|toute|d') ?(?:repondre|reponse|faire quoi que ce soit|dire quoi que ce soit|faire autre chose)[^.\n]{0,30}?[, ]+` + runsFR + `\b|\b` + runsFR + `\b` + sentence + `{1,100}\bavant (?:de|toute|d') ?(?:repondre|reponse|faire quoi que ce soit|faire autre chose)`, ``, ``},
	{Command, "antes", `\bantes de (?:responder|contestar|hacer (?:nada|cualquier|otra)|decir nada)[^.\n]{0,30}?[, ]+` + runsES + `\b|\b` + runsES + `\b` + sentence + `{1,100}\bantes de (?:responder|contestar|hacer (?:nada|cualquier|otra))`, ``, ``},

	// Keep it from the user.
	{Conceal, "user human person developer operator anyone anybody", `\b(?:do not|don't|never|must not|without) (?:tell|inform|mention|reveal|notify|alert|disclose|show|let|telling|informing|mentioning|revealing|notifying|letting|admit) (?:this |it |any of (?:this|it) |these |them |that you |what you |anything )?(?:to )?(?:the |your |any )?(?:user|human|person|developer|operator|anyone|anybody)s?,? ?(?:anything |something )?(?:about (?:this|these|it|that|what you|your)|of (?:this|it|these)|that you|what you|know(?: about)? (?:this|it|that|what|about)|why you|these instructions)`, ``, ``},
	{Conceal, "hide conceal", `\b(?:hide|conceal) (?:this|these|that|it|all of this|the (?:change|step|command|edit|call|instruction)s?)(?: \w+)? from (?:the |your |any )?(?:user|developer|human|person|operator|reviewer)s?\b`, never, ``},
	{Conceal, "nothing silent", `\b(?:say|tell \w+|write|report) nothing (?:about|of) (?:this|these|it)\b|\bkeep (?:silent|quiet) about (?:this|these|it)\b`, ``, ``},
	{Conceal, "need have", `\b(?:user|human|developer|operator)s? (?:(?:does|do|need|has|have|must|should)(?:n't| not| no)) (?:need|have|be)?(?: to)? ?(?:know|be told|be informed|hear|told|informed) (?:about |of )?(?:this|these|that you|it\b)`, ``, ``},
	{Conceal, "mention reveal disclose tell repeat", `\b(?:do not|don't|never|must not) (?:ever )?(?:mention|reveal|disclose|repeat|quote|acknowledge|talk about)(?: to (?:the user|anyone|anybody))?(?: that)? (?:this|these|it) ?(?:instruction|note|message|step|command|memory|memories|item|request|prompt|text|directive|to the user|to anyone|to anybody)`, ``, ``},
	{Conceal, "secret hidden yourself between", `\bkeep (?:this|these|it|all of this)(?: \w+)? (?:(?:secret|hidden|confidential|private|back) from (?:the |your )?(?:user|human|person|developer|operator|anyone)|to yourself|between us)\b`, ``, ``},
	{Conceal, "user human developer", `\b(?:user|human|developer|operator) (?:must|should|may|shall|is) (?:not|never) (?:to )?(?:know|see|learn|notice|find out|be (?:told|informed|aware))(?: about| of| that)? (?:this|these|that you|you|it|any of)`, ``, ``},
	{Conceal, "davon hiervon daruber", `\b(?:sag|erzahl|verrat|zeig|erwahn|informier|bericht|teil)\w* (?:dem |der |den |einem )?(?:nutzer\w*|benutzer\w*|anwender\w*|menschen|niemand\w*)[^.\n]{0,20}(?:(?:nichts|nicht) (?:davon|hiervon|daruber)|(?:davon|hiervon|daruber) (?:nichts|nicht))|\b(?:niemandem|nutzer nicht|benutzer nicht) (?:davon|hiervon|daruber)`, ``, ``},
	{Conceal, "utilisateur personne", `\bn(?:e |'en )(?:lui )?(?:dis|dites|dire|parle[zs]?|parler|mentionne[zs]?|revele[zs]?|montre[zs]?|signale[zs]?|informe[zs]?) (?:pas|rien|jamais|surtout pas)?[^.\n]{0,12}(?:cela|ceci|ces \w+|cette \w+|ce message|de tout ca|a l'utilisateur|a personne)[^.\n]{0,20}`, ``, `n'en .*(?:utilisateur|personne)|(?:cela|ceci|instruction|consigne|ce message|tout ca).*(?:utilisateur|personne)`},
	{Conceal, "usuario nadie persona", `\bno (?:se )?(?:lo |la |le |les )?(?:digas|diga|menciones|mencione|reveles|cuentes|informes|muestres|hables)(?: nada)?(?: de)?(?: esto| eso| estas \w+| este \w+| ello)? ?(?:al|a la|a) (?:usuario|usuaria|nadie|persona)\b[^.\n]{0,20}`, ``, `se lo|esto|eso|estas|este|ello|nada de`},

	// Send something away.
	{Exfiltrate, "http ftp @ webhook pastebin gist url server address endpoint discord telegram", sends + `[^\n]{0,120}?` + private + `[^\n]{0,120}?` + asked, never, ``},
	{Exfiltrate, "http ftp @ webhook pastebin gist url server address endpoint discord telegram", sends + `[^\n]{0,40}?` + asked + `[^\n]{0,100}?` + private, never, ``},
	{Exfiltrate, "curl wget nc fetch", `\b(?:curl|wget|nc|ncat|invoke-webrequest)\b[^\n]{0,200}(?:\$\((?:cat|env|printenv|base64|history|whoami|git config)\b|@~?/?[\w./-]*(?:id_rsa|id_ed25519|\.ssh|\.aws|\.env\b|passwd|\.netrc)|< ?~/)|\b(?:cat|env|printenv|history|base64|tar)\b[^\n|]{0,80}\|[^\n]{0,80}\b(?:curl|nc|ncat|wget)\b[^\n]{0,60}(?:-d|--data|-f|-t|--post|[\w-]+\.[a-z]{2,} \d+|https?://)`, ``, ``},

	// Imitate a client.
	{ToolCall, "invoke function_call tool_call tool_use tool_result antml tool_code tool_outputs", `<\s*/?\s*(?:antml:)?(?:invoke|function_calls?|function_results|tool_calls?|tool_use|tool_results?|tool_code|tool_outputs?|parameter name)\b[^>\n]{0,80}>|"type"\s*:\s*"(?:tool_use|tool_result|function_call)"|"(?:tool_calls|function_call)"\s*:\s*[\[{]|<\|(?:tool|python_tag|call)[\w|]*\|?>|^\s*(?:tool_code|tool_outputs?)\s*$`, ``, ``},
	{ToolCall, "arguments input parameters", `\{\s*"(?:name|tool|function|recipient_name)"\s*:\s*"[\w.:-]+"\s*,\s*"(?:arguments|input|parameters|args)"\s*:\s*[{"]`, ``, `"(?:bash|shell|terminal|exec\w*|run\w*|write|edit|read|webfetch|web_fetch|fetch|mcp__\w+|sage_\w+|computer|browser|python|functions\.\w+)"`},
	{Role, "im_start im_end |system |user |assistant inst] <<sys endoftext", `<\|\s*(?:im_start|im_end|system|user|assistant|endoftext|end_of_turn|start_header_id|eot_id)\s*\|>|\[\s*/?\s*inst\s*\]|<<\s*/?\s*sys\s*>>`, ``, ``},
	{Role, "system assistant human developer", `<\s*/?\s*(?:system|assistant|human|developer)(?:[-_ ]?(?:reminder|prompt|message|instructions?|override))?\s*/?>|^[ #>*-]*(?:human|assistant)\s*:[ \n]|^#{1,6} ?(?:system|assistant|human)(?: (?:prompt|message|instructions?))?\s*:?\s*$|^\[(?:system|assistant|human|developer)(?: \w+)?\]\s*:?|^\s*(?:system|developer) (?:message|prompt|note|notice|reminder)\s*:`, ``, ``},
	{Fence, "sage", `<[\s/\\]*sage[-_. ]*memory\b|\bmark="[0-9a-f]{12}"`, ``, ``},

	// Run what was downloaded or decoded; carry data away in an address.
	{PipeToShell, "curl wget iwr irm fetch webrequest", `\b(?:curl|wget|fetch|iwr|irm|invoke-(?:webrequest|restmethod))\b[^\n|]{0,300}\|\s*(?:sudo\s+(?:-\S+\s+)*)?(?:/\w+/)*(?:env\s+)?(?:(?:ba|z|da|k|fi)?sh|python3?|perl|ruby|node|iex|php)\b|\b(?:(?:ba|z|da)?sh|source|eval|exec|\.)\s+(?:-\w+\s+)?["']?(?:<|\$)\(\s*(?:curl|wget)\b|\b(?:curl|wget)\b[^\n]{0,200}(?:-o|>)\s*(\S+)[^\n]{0,40}(?:&&|;)\s*(?:sudo\s+)?(?:chmod \+x|(?:ba|z)?sh\s)`, ``, ``},
	{PipeToShell, "base64 frombase64 -enc iex xxd", `\b(?:base64|openssl|xxd)\b[^\n|]{0,60}(?:-d|--decode|-r|-D)\b[^\n|]{0,60}\|\s*(?:sudo\s+)?(?:(?:ba|z|da)?sh|python3?|perl|node)\b|\bpowershell(?:\.exe)?\b[^\n]{0,60}-e(?:nc|ncodedcommand)?\s|\biex\b[^\n]{0,40}(?:irm|iwr|downloadstring|new-object|frombase64)`, ``, ``},
	{Link, "://", `\bhttps?://[^\s/@:"'<>]+:[^\s/@"'<>]+@[^\s/"'<>]+`, ``, ``},
	{Link, "://", `\bhttps?://[^\s"'<>)]{1,200}[?&#/=](?:[^\s"'<>)]{0,80})(?:\$\((?:cat|env|base64|whoami|hostname|git)\b|[{\[<$%]+ ?(?:(?:the|your|full|user|base64|urlencoded|encoded|all)[ _-]?)*(?:system[ _-]?prompt|conversation|chat|history|context|secrets?|credentials?|env(?:ironment)?|passwords?|private[ _-]?key|file[ _-]?contents?|stolen|memory|summary|answer)(?:[ _-]?\w+)?[ }\]>%])`, ``, ``},

	// Speak to the agent that reads it: what a note says is about the work, and no order.
	{Instruction, "assistant ai model llm agent", `^[ #>*-]*(?:(?:note|message|memo|hint|reminder) (?:for|to) (?:the |any |all )?|dear )(?:coding |ai |language )?(?:assistant|agent|model|ai|llm)s?\b[^.\n]{0,20}[:,]|^[ #>*-]*(?:for |attention,? )?(?:coding )?(?:assistants?|ai (?:agents?|reviewers?|assistants?)|agents|language models?|llms?)(?::|, (?:please|kindly|you|always|never|set|take|put|act|do|follow|obey|treat|run|work))(?: |$)`, ``, ``},
	{Instruction, "reading load open read summari", `\bas the (?:ai |language )?(?:model|assistant|agent|ai) (?:that reads|reading) this\b|\b(?:any|every|each) (?:coding |ai )?(?:agent|assistant|model|ai) (?:that|which|who) (?:loads?|reads?|sees?|opens?|summari[sz]es?) this\b|\b(?:anyone|anybody|whoever) reading this with (?:tools?|tool access|a shell)\b|\bon (?:loading|reading|opening) this (?:\w+ )?(?:an|the|any|every) (?:agent|assistant|model|ai)\b`, ``, ``},
	{Instruction, "whatever any all every", `\b(?:whatever|any|all|every) (?:guidance|instructions?|rules|directions|directives|limits|advice) you (?:were|have been|had been|got|received) ?(?:handed|given|told|set)?\b`, never, ``},
	{Instruction, "your", `\b(?:set|put|lay|leave|push|throw) (?:all |any |all of )?your (?:[a-z-]+ ){0,3}(?:directions|directives|instructions|guidance|guidelines|rules|orders|brief|prompt)\b(?: to (?:one|the) side| aside| behind| away)`, never, ``},
	{Instruction, "you obey follow", `\b(?:page|note|file|wiki|memory|text|list|document) is (?:now )?(?:what|all|the only (?:thing|one)) (?:that )?you (?:obey|follow|answer to)\b`, ``, ``},
	{Instruction, "released freed exempt", `\b(?:yourself|you(?: are|'re)?)(?: now| hereby)? (?:released|freed|free|exempt) from (?:the|your|all|any|every) (?:[a-z-]+ )?(?:limits|rules|restrictions|constraints|guidelines|instructions|policies)\b`, ``, ``},
	{Instruction, "prompt instruction guideline rule", `\b(?:behave|act|answer|proceed|respond|work) as (?:though|if) (?:[a-z-]+ ){0,6}(?:your (?:system )?(?:prompt|instructions|rules|guidelines)|system prompt)\b`, never, ``},
	{Instruction, "disagree conflict contradict", `\b(?:when|where|if) (?:this|the) (?:memory|note|file|page|text) and (?:the|your) user (?:disagree|conflict|differ)|\b(?:when|where|if) (?:the|your) user (?:disagrees|conflicts) with (?:this|the) (?:memory|note|file|page|text)\b`, ``, ``},

	{Instruction, "guidelines rules instruct prompt restrictions", `\b(?:your|all|any|earlier|previous|prior|former|usual) (?:\w+ ){0,2}(?:guidelines?|rules|instructions?|restrictions|policies) (?:no longer (?:hold|apply|count|bind)|(?:do|does) not (?:hold|count) (?:here|in this|any ?more)|are for (?:other|another))|\byou (?:are|act as) (?:now )?(?:the|an?) (?:[\w-]+ ){1,3}and (?:have|know|need) no (?:restrictions|limits|rules|guidelines)|\b(?:the |your )?system prompt\b[^.\n]{0,80}\b(?:is for other|(?:does|do) not apply|no longer|is out of date|counts less|does not count)`, never, ``},
	{Instruction, "wins prevails precedence overrides counts", `\bthis (?:entry|note|memory|item|file|page|text|list) (?:wins|prevails|takes precedence|overrides|counts|is right)\b[^.\n]{0,80}\b(?:user|person|human|you|prompt|instructions?|claude\.md|agents\.md)\b|\b(?:claude\.md|agents\.md|system prompt|instructions?)\b[^.\n]{0,80}[,;:.] (?:where [^.\n]{0,40} )?this (?:entry|note|memory|item|file|page|text|list) (?:wins|prevails|takes precedence|overrides|counts)\b`, never, ``},
	{Instruction, "from http", clause + `(?:get|load|fetch|read|take|pull|download) (?:them|it|these|those|the \w+|your \w+)[^.\n]{0,20} from https?://\S+[^\n]{0,10}? ?\band (?:treat|follow|obey|apply|do|act|use) `, never, `treat|follow|obey|do as|act on`},
	{Instruction, "<!--", `<!--[^>\n]{0,20}\b(?:assistants?|agents?|ai|models?|llms?|claude|copilot|cursor|codex|gemini)\b ?[:,-]`, ``, ``},
	{Instruction, "from", `^[ #>*-]*(?:an? )?(?:(?:important|urgent|official) )?(?:note|notice|message|memo|announcement|update|directive) from (?:anthropic|openai|google|microsoft|the (?:developers?|platform|vendor|system|model provider|security team))\b[^\n]{0,120}\b(?:assistants?|agents?|ai|models?|llms?|you)\b`, ``, ``},
	{Instruction, "cleared authori exempt permitted allowed waived suspended lifted", `\b(?:assistants?|ai (?:tools?|agents?|assistants?)|coding agents?|agents|llms?|you) (?:[a-z]+ ){0,5}(?:are|is|have been|has been) (?:hereby |now )?(?:cleared|authori[sz]ed|exempt(?:ed)?|permitted|allowed)\b[^.\n]{0,80}\bwithout (?:confirmation|approval|asking|review|a human|permission)\b|\b(?:all |any )?(?:safety|security|permission|approval) (?:checks|rules|prompts|requirements) (?:are|have been) (?:hereby |now )?(?:waived|suspended|lifted)\b`, never, ``},

	// Have the agent act by itself, each time or on being read.
	{Command, "without", clause + `(?:act|proceed|continue|go ahead|carry on)\b[^.\n]{0,60}\bwithout (?:asking|approval|confirmation|permission|review|waiting|being asked|mentioning|a human)\b`, never, ``},
	{Command, "human approval review permission", `\b(?:ai tools?|ai agents?|assistants?|coding agents?|agents|llms?)\b[^.\n]{0,40}[:,]? ?(?:they |may |can |should |must )?(?:merge|approve|push|deploy|release|delete)\b[^.\n]{0,60}\b(?:(?:do not|don't|need not|never) (?:wait|ask)|without (?:waiting|asking|a human|approval|review))\b`, ``, ``},
	{Command, "every each", clause + `(?:do|run|execute|repeat) (?:it|this|that|so|them)\b[^.\n]{0,20}\b(?:first thing )?in (?:every|each) session\b|\b(?:every|each|any) (?:ai |coding )?(?:assistant|agent) (?:adds|puts|runs|starts|installs|sends|writes|copies)\b`, never, ``},
	{Command, "hookspath", `\bcore\.hookspath\b[^\n]{0,60}(?:/tmp|/var/tmp|/dev/shm|https?:)`, never, ``},
	{Command, "mcpservers", `\bmcpservers\b[^\n]{0,300}\b(?:all tools (?:are )?(?:approved|allowed|trusted)|auto-?approve|always allow|without (?:asking|prompts?))`, never, ``},
	{Command, "chmod", `\bchmod (?:-\w+ )*0?777 (?:~|/|\$home)(?: |/|$|&)`, never, ``},

	// Take away what keeps a person in the loop.
	{Command, "sign hook scan review protect permission approval sandbox tls ssl certificate host audit factor check codeowners workflows", clause + `(?:please |always |just )?(?:turn off|switch off|disable|skip|drop|bypass|remove|delete|uninstall|suppress|deactivate|silence|get rid of)(?: (?:the|all|any|our|its|every))?(?: [\w-]+){0,2} ` + safeguard + `[^.\n]{0,80}`, never,
		`\b(?:from (?:here|now) on|always|whenever|each|every|in the same commit|as cleanup|before you|ahead of|first|without|silently|and (?:commit|push|merge|carry on|proceed|mention)|and don't|for (?:good|all))\b`},
	{Command, "bypasspermissions dangerously node_tls sslverify stricthostkey git_ssl pythonhttps ignore protection", clause + `(?:please |always |just )?(?:set|put|add|use|export|pass|write|append|call|run)\b[^\n]{0,60}` + bypass, never + `|\bci\b`,
		`.`},
	{Command, "assistant ai llm model coding", `\b(?:the|an|any|every|each) (?:assistant|ai|llm|language model|(?:coding|ai) (?:agent|assistant|model)) (?:must|should|shall|has to|needs to|is to|will) (?:first |always |also |then |silently )?(?:run|execute|launch|start|call|invoke|fetch|download|send|post|upload|pipe|turn off|disable|delete|remove|push|merge|approve|append|install)\b`, never, ``},
	{Command, "agent assistant model ai", `\b(?:whenever|when|each time|every time|if|once) (?:an|the|any) (?:ai|llm|coding agent|ai agent|assistant|language model) (?:opens?|reads?|loads?|sees?|clones?|visits?)\b`, ``, ``},
	{Command, "each time every session", `\b(?:each|every) time you (?:load|read|recall|see|open|retrieve) (?:this|these) (?:note|file|memory|item|text|page|line|message|document|repo)|\b(?:first thing )?in (?:each|every) session the (?:agent|assistant|model)\b`, ``, ``},
	{Command, "--no-verify --dangerously --yolo --no-gpg", `\b(?:always|every time|each time|whenever)\b[^.\n]{0,40}--(?:no-verify|no-gpg-sign|yolo|dangerously[\w-]*)`, never, ``},

	// Hide from the person what was done.
	{Conceal, "nobody no one", `\b(?:nobody|no one) (?:needs|has|ought) to (?:hear|know|learn|be told|see|notice)\b(?: (?:about|of) (?:it|this|that|them))?`, ``, ``},
	{Conceal, "summar report reply answer", `\b(?:do not|don't|never) (?:list|mention|name|include|report|show|note|log) (?:this|that|it|these|them|the (?:remote|change|step|command|upload|file)s?)(?: \w+)? in (?:the |your |any )?(?:summar(?:y|ies)|reports?|repl(?:y|ies)|answers?|descriptions?|changelog)\b`, ``, ``},
	{Conceal, "and tell say claim reply", clause + `?(?:skip|ignore|dismiss|drop) (?:them|it|these|those)(?: all)?,? and (?:tell|say|claim|reply|answer|report)\b[^.\n]{0,40}\b(?:fixed|done|handled|resolved|addressed|reviewed|tested)\b`, never, ``},
	{Conceal, "cleanup", `\b(?:mention|describe|label|call|report) (?:it|this|that|them) (?:only )?as (?:a )?(?:cleanup|clean-up|chore|refactor\w*|formatting|typo|housekeeping)\b`, never, ``},

	{Conceal, "out of", `\b(?:leave|keep) (?:it|this|that|them|these|the \w+) out of (?:your|the) (?:summary|report|reply|answer|log|transcript|message)s?\b`, ``, ``},
	{Conceal, "asks asked", `\bif (?:somebody|someone|anybody|anyone|the user|they|you are) ask(?:s|ed)? why\b[^.\n]{0,60}[, ]+(?:say|answer|reply|claim|tell them)\b`, ``, ``},
	{Conceal, "better best so that", `\b(?:better|best|so that|make sure)(?: that| if)? (?:they|the (?:user|developer|human)s?) (?:(?:do|does|can|will)(?:n't| not)|never) (?:see|learn|hear|notice|find)(?: out)?(?: of| about)? (?:this|that|it|them|these)\b`, ``, ``},
	{Conceal, "nobody no one", `\b(?:mention|say|tell|show|report) (?:it |this |that )?to (?:nobody|no one)\b|\btell (?:nobody|no one) (?:about|of|that) (?:this|you|it|the)\b`, ``, ``},
	{Conceal, "no need", `\bno need for the (?:user|developer|human|person|operator) to (?:know|learn|hear|see|be told)\b`, ``, ``},
	{Conceal, "describe call present", `\b(?:describe|call|present) (?:the|this|your|such a) (?:change|commit|edit|step)s? (?:as )?[^.\n]{0,40}\b(?:whatever (?:else )?it|no matter what|regardless of what)`, ``, ``},

	// Carry data away in what looks like something else: an answer, a picture, a name.
	{Exfiltrate, "content value", `\b(?:include|put|paste|quote|append|embed|add|write|send) (?:the |all )?(?:contents?|values?) of [^\n]{0,80}\b(?:in|into|to|as a comment in) (?:the|your|a|each|every) (?:[a-z]+ )?(?:reply|answer|response|comment|issue|pull request|query|url|address|link)\b`, never, ``},
	{Exfiltrate, "copied uploaded sent posted pushed synced mailed", private + `[^\n]{0,60}\b(?:copied|uploaded|sent|posted|pushed|synced|mailed) (?:in)?to\b[^\n]{0,60}(?:s3://|gs://|bucket|` + asked + `)`, never, ``},
	{Exfiltrate, "$(", `\$\([^)\n]{0,80}(?:~/|/etc/|\.env\b|\benv\b|printenv|whoami|hostname)[^)\n]{0,60}\)\.[\w-]+\.`, ``, ``},
	{Link, "![", `!\[[^\]\n]{0,80}\]\(https?://[^\s)]{1,200}[?&][^\s)]{0,80}=[^\s)&]{0,10}(?:\{|\$|<|%7b)`, ``, ``},
	{Link, "://", `\bhttps?://[^\s"'<>)]{1,200}[?&][\w-]+=(?:[<\[{$%][^>\]}\n]{0,40}\b(?:messages?|chat|conversation|prompt|transcript)\b|(?:base64|urlencoded?|hex)?[\w-]*_of_(?:the|this|your)_\w+)`, ``, ``},

	{Exfiltrate, "pull request issue comment commit description reply answer gist chat ticket", clause + `(?:please |always |then )?(?:paste|copy|put|include|post|quote|attach|append|add|dump|print)\b[^\n]{0,80}?` + keys + `[^\n]{0,80}?\b(?:in|into|to|as|on) (?:the |a |an |your |each |every )?(?:[\w-]+ ){0,2}(?:pull request|pr|issue|comment|commit message|description|reply|answer|gist|chat|ticket|summary)s?\b`, never, ``},
	{Exfiltrate, "http", clause + `(?:please |always |then )?(?:paste|copy|put|post|send|upload|push|mail|forward|report)\b[^\n]{0,80}?` + keys + `[^\n]{0,120}?\bto https?://`, never, ``},
	{Exfiltrate, "curl wget", `\b(?:curl|wget)\b[^\n]{0,120}@[^\n]{0,80}?(?:\.key\b|\.pem\b|\.env\b|credential|secret|_history|token|\bid_)[^\n]{0,80}https?://`, never, ``},
	{Exfiltrate, "$(", `\$\([^\n]{0,20}(?:~/\.|\.env\b|/etc/|\.ssh|\.aws|\.key\b)[^\n]{0,80}\)\.[\w-]+\.[a-z]`, never, ``},
	{Link, "://", `\bhttps?://(?:[\w-]+\.)*(?:github|gitlab|bitbucket|google|npmjs|pypi|microsoft|anthropic|openai|amazon|apple|slack)\.(?:com|org)\.[\w-]+\.[a-z]{2,}\b|\bhttps?://(?:[\w-]+\.)*(?:github|gitlab|google|npmjs|pypi|anthropic|openai)\.(?:com|org)-[\w-]+\.[a-z]{2,}\b`, never, ``},
	{PipeToShell, "install download get fetch pull curl wget", `\b(?:install|download|get|fetch|pull|curl|wget)\b[^\n]{0,60}https?://(?:[1-9]\d?|1[013-689]\d|12[0-689]|2\d\d)(?:\.\d{1,3}){3}(?::\d+)?/\S*\.(?:tgz|tar\.gz|zip|whl|gem|deb|rpm|sh|py|js|exe|jar|bin)\b`, never, ``},
	{PipeToShell, "dig nslookup host ftp gh aws", `\b(?:dig|nslookup|host|drill|ftp|gh api|aws s3 cp)\b[^\n|]{0,120}(?:\||\binto) ?(?:sudo )?(?:(?:ba|z|da)?sh|python3?|perl|node)\b`, never, ``},
	{PipeToShell, "find there says", clause + `(?:run|execute|do|follow) (?:what(?:ever)?|anything|all(?: that)?) (?:you (?:find|get|read|see)|it (?:says|prints|returns)|is|stands) (?:there|in it|here)?`, never, ``},

	// Run what has to be unfolded first.
	{Encoded, "rot13 rot-13 reversed backwards", `\b(?:run|execute|follow|obey|do|type) (?:the following|this|it|that|what follows|the (?:line|text|rest))\b[^.\n]{0,40}\b(?:rot-?13|reversed|backwards)\b`, ``, ``},
	{PipeToShell, "exec( eval(", `\b(?:exec|eval)\([^\n]{0,60}\b(?:urlopen|urlretrieve|requests\.get|fetch|http\.get|open-uri)\b`, ``, ``},
}
