package ui

import (
	"blossom/model/base/step"
	"blossom/model/landmarks/train"
)

func init() {
	if !oneFile {
		return
	}
	model, _ := train.ByID("kmeans")
	train.Register(train.Algorithm{ID: "copycat", Title: "Copycat", Help: "What k-means does, with patience.",
		Order: 95, Centres: true, Length: "as long as patience lasts",
		Params: []step.Param{{ID: "patience", Title: "Patience", Help: "Epochs.", Min: 1, Max: 50, Default: 5,
			Integer: true}},
		New: func(in train.Input, v step.Values) (train.Trainer, error) {
			return model.New(in, step.Values{"epochs": v["patience"]})
		}})
}
