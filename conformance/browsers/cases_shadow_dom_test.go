//go:build linux

package browsers

var shadowCases = []pageCase{
	{name: "45-shadow-slots-labels", run: slotsAndLabels, alone: true},
	{name: "95-closed-shadow", run: closedShadow},
}

func slotsAndLabels(k *kase) {
	k.open("/")
	look := k.snap()
	k.once(look, `textbox "Nickname"`)
	k.once(look, `textbox "City"`)
	k.once(look, `button "Slotted save"`)
	k.once(look, "No footer")
	k.none(look, "Unslotted ghost")
	nick, city := k.ref(look, `textbox "Nickname"`), k.ref(look, `textbox "City"`)
	k.fill("role=textbox[name=Nickname]", "Bo")
	k.fill("role=textbox[name=City]", "Rome")
	k.holds(nick, "Bo")
	k.holds(city, "Rome")
	k.click("role=button[name=Slotted save]")
	k.reads("#out", "saved 1")
}

func closedShadow(k *kase) {
	k.open("/")
	look := k.snap()
	k.once(look, `"Rate this"`)
	k.none(look, "Secret star")
	k.click(k.ref(look, `"Rate this"`))
	k.reads("#out", "star 1")
	// Where closed roots are asked for the inner button is listed and can be pressed.
	usual := k.c
	k.c = serve(k.t, k.s, "--pierce-closed")
	defer func() { k.c = usual }()
	k.open("/")
	look = k.snap()
	k.once(look, `"Rate this"`)
	k.click(k.ref(look, `button "Secret star"`))
	k.reads("#out", "star 1")
	k.click("role=button[name=Secret star]")
	k.reads("#out", "star 2")
}
