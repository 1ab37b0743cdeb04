// Package hint says what to type, or which tool to call, about a problem. The packages of the
// memory name a [remedy.Remedy]; a person reads it as a command, an agent as a tool where it
// has one.
package hint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/remedy"
)

// An entry is how a remedy is typed.
type entry struct {
	command string // with $1, $2 and $3 for the arguments
	blank   string // what stands for an argument that is not known
	gain    string // what it does, unless the remedy says so
	say     string // the whole sentence, where it is not "'<command>' <gain>"
}

// typed are the commands of a person.
var typed = map[remedy.Do]entry{
	remedy.Check:       {command: "git sage fsck"},
	remedy.Repair:      {command: "git sage fsck --repair"},
	remedy.RepairFrom:  {command: "git sage fsck --repair --from <clone>", gain: "restores it from a clone"},
	remedy.SetRef:      {command: "git sage fsck --repair --set $1=$2"},
	remedy.AcceptLoss:  {command: "git sage fsck --accept $1", gain: "accepts the loss"},
	remedy.SettleLoss:  {say: "run 'git sage fsck --repair' to restore it, or 'git sage fsck --accept $1' to accept the loss"},
	remedy.RemoveLock:  {say: "if no git is running here, run 'git sage fsck --repair' or delete the file"},
	remedy.Maintain:    {command: "git sage admin maintenance"},
	remedy.PackAll:     {command: "git sage admin maintenance && git gc"},
	remedy.ConfirmAll:  {command: "git sage confirm --all"},
	remedy.KeepWaiting: {command: "echo {} | git sage hook keeping"},

	remedy.RunAgain:          {say: "run it again to $1"},
	remedy.FinishPurge:       {command: "git sage purge --finish", gain: "finishes it"},
	remedy.FinishPush:        {command: "git sage purge --finish --push", gain: "tries again"},
	remedy.PurgeAgain:        {command: "git sage purge $1"},
	remedy.PurgePath:         {command: "git sage purge --path $1", gain: "removes it"},
	remedy.PurgePast:         {command: "git sage purge --past --path $1", gain: "removes what it said before"},
	remedy.PurgePathThere:    {say: "run 'git sage purge --path $1' there and push"},
	remedy.PurgeMatch:        {command: "git sage purge --match <pattern>", gain: "cleans them"},
	remedy.PurgeForeign:      {command: "git sage purge --foreign", gain: "removes it"},
	remedy.PurgeForeignThere: {say: "run 'git sage purge --foreign' there and push"},

	remedy.FetchAndPush:  {say: "run 'git sage sync $1', then 'git sage purge --finish --push'"},
	remedy.FetchAndPurge: {say: "run 'git sage sync' and 'git sage purge --finish'"},
	remedy.PurgeClones:   {say: "in each, run 'git sage sync' and 'git sage purge --finish'"},
	remedy.FetchClone:    {command: "git fetch $1 +$2:$3 && git sage merge --fetched clone"},
	remedy.MergeFork:     {command: "git sage merge $1"},
	remedy.MergeThesis:   {command: "git sage merge --thesis <synthesis>", gain: "settles it"},

	remedy.CompareTwo: {command: "git sage diff $1 $2", gain: "compares the two"},

	remedy.ListActions:      {command: "git sage undo", gain: "lists what can be undone"},
	remedy.ListCheckpoints:  {command: "git sage log", gain: "shows the checkpoints"},
	remedy.RemoveCheckpoint: {command: "git sage checkpoint rm $1", blank: "<id>", gain: "removes it instead"},
	remedy.ShowConversation: {command: "git sage checkpoint show --conversation $1", gain: "shows all"},
	remedy.SwitchLine:       {command: "git sage switch $1"},
	remedy.StartLine:        {command: "git sage branch $2 $1", blank: "<name>", gain: "keeps them"},
	remedy.StartLineInstead: {command: "git sage branch <name> $1 && git update-ref -d '$2'"},
	remedy.CloseLine:        {command: "git sage branch -d $1", gain: "closes it instead"},
	remedy.RenameLine:       {command: "git sage branch -m $1 $2", gain: "renames it back"},
	remedy.TagAgain:         {command: "git sage tag <another name> $1", gain: "gives another name"},
	remedy.DeleteTag:        {command: "git sage tag -d $1", gain: "gives up yours for theirs"},

	remedy.ShowItem:     {command: "git sage knowledge show $1", blank: "<id>", gain: "shows how to settle them"},
	remedy.EditItem:     {command: "git sage knowledge edit $1"},
	remedy.RemoveItem:   {command: "git sage knowledge rm $1", blank: "<id>", gain: "removes it instead"},
	remedy.ListChanges:  {command: "git sage knowledge log $1", gain: "shows what changed"},
	remedy.DescribeCore: {command: "git sage core add --summary <text> $1", gain: "settles them"},
	remedy.UnmarkCore:   {command: "git sage core rm $1"},
	remedy.Calibrate:    {command: "git sage model calibrate"},

	remedy.SyncRemote:    {command: "git sage sync $1", gain: "takes it in"},
	remedy.AddRemote:     {command: "git sage remote add $1 <url>", blank: "<name>", gain: "adds it"},
	remedy.SetRemote:     {command: "git sage remote set $1 <url>", gain: "changes its address"},
	remedy.ShareAgain:    {command: "git sage share $1", gain: "shares with the new address"},
	remedy.Unshare:       {command: "git sage share --none $1", gain: "sends it nothing more of the memory"},
	remedy.Publish:       {command: "git sage branch --public $1", gain: "lets it leave"},
	remedy.MakeKey:       {command: "git sage remote keygen", gain: "prints your public key"},
	remedy.AddReader:     {command: "git sage remote recipients add $1", blank: "<public key>", gain: "adds a reader"},
	remedy.AcceptReaders: {command: "git sage remote recipients accept", gain: "accepts those in .sage/recipients"},
	remedy.TrustRemote:   {command: "git sage trust <remote>", gain: "trusts all that comes by a remote"},
	remedy.RemoteAgain:   {say: "if its owner set it back, run 'git sage remote remove $1' and add it again"},
}

// fill puts the arguments of a remedy into a template.
func (e entry) fill(template string, r remedy.Remedy) string {
	arg := func(i int) string { return cmp.Or(r.Args[i], e.blank) }
	return strings.TrimSpace(strings.NewReplacer("$1", arg(0), "$2", arg(1), "$3", arg(2)).Replace(template))
}

// Command is what to type: "git sage fsck". Where that is no single command it is a sentence.
func Command(r remedy.Remedy) string {
	if r.Do == remedy.Line {
		return r.Args[0]
	}
	e := typed[r.Do]
	return e.fill(cmp.Or(e.command, e.say), r)
}

// Sentence says what to type and what that does: "'git sage undo' lists what can be undone".
func Sentence(r remedy.Remedy) string {
	e := typed[r.Do]
	gain := cmp.Or(r.Gain, e.gain)
	switch {
	case e.say != "":
		return e.fill(e.say, r)
	case r.Do == remedy.Line && gain == "":
		return r.Args[0]
	case gain == "":
		return "run '" + Command(r) + "'"
	}
	return "'" + Command(r) + "' " + gain
}

// Cure is what to type about a finding, "" if nothing is known: commands, and what each does
// where that is said of it. Of several values for a ref any one is chosen.
func Cure(remedies []remedy.Remedy) string {
	var b strings.Builder
	for i, r := range remedies {
		choice := r.Do == remedy.SetRef && r.Gain == ""
		switch {
		case i > 0 && choice && remedies[i-1].Do == remedy.SetRef:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString("; ")
		}
		switch {
		case choice:
			b.WriteString("'" + Command(r) + "'")
		case r.Gain == "":
			b.WriteString(Command(r))
		default:
			b.WriteString(Sentence(r))
		}
	}
	return b.String()
}

// Error is the text of an error, and what to do about it.
func Error(err error) string { return Note(remedy.NoteOf(err)) }

// Note is the text of a note, and what to do about it.
func Note(n remedy.Note) string { return n.Say(Sentence) }

// Args are the arguments of a format, of which errors and notes say what to do about them.
func Args(args []any) []any {
	out := slices.Clone(args)
	for i, a := range out {
		switch a := a.(type) {
		case error:
			out[i] = Error(a)
		case remedy.Note:
			out[i] = Note(a)
		}
	}
	return out
}

// Typed is what to type, "" for nothing, as the cure of a finding that is made at the edge.
func Typed(line string) []remedy.Remedy {
	if line == "" {
		return nil
	}
	return []remedy.Remedy{remedy.Typed(line)}
}

// Notes are notes, each with what to do about it; nil of none.
func Notes(list []remedy.Note) (out []string) {
	for _, n := range list {
		out = append(out, Note(n))
	}
	return out
}
